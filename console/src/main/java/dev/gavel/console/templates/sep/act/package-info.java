/** What the build makes of the templates in {@code src/main/jte/sep/act}; nothing here is written by hand. */
@NullMarked
package dev.gavel.console.templates.sep.act;

import org.jspecify.annotations.NullMarked;
