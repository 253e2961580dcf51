/** What the build makes of the templates in {@code src/main/jte}; nothing here is written by hand. */
@NullMarked
package dev.gavel.console.templates;

import org.jspecify.annotations.NullMarked;
