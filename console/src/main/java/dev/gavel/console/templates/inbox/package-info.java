/** What the build makes of the templates in {@code src/main/jte/inbox}; nothing here is written by hand. */
@NullMarked
package dev.gavel.console.templates.inbox;

import org.jspecify.annotations.NullMarked;
