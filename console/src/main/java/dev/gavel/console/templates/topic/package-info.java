/** What the build makes of the templates in {@code src/main/jte/topic}; nothing here is written by hand. */
@NullMarked
package dev.gavel.console.templates.topic;

import org.jspecify.annotations.NullMarked;
