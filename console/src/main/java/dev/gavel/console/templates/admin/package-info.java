/** What the build makes of the templates in {@code src/main/jte/admin}; nothing here is written by hand. */
@NullMarked
package dev.gavel.console.templates.admin;

import org.jspecify.annotations.NullMarked;
