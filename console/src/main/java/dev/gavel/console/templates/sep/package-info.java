/** What the build makes of the templates in {@code src/main/jte/sep}; nothing here is written by hand. */
@NullMarked
package dev.gavel.console.templates.sep;

import org.jspecify.annotations.NullMarked;
