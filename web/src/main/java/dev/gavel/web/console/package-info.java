/** Creates and mounts the console. Each section of the console has its own package with controllers and page models. */
@NullMarked
package dev.gavel.web.console;

import org.jspecify.annotations.NullMarked;
