/**
 * Classes that the build generates from the templates in {@code src/main/jte/topic}; no class here is written by hand.
 */
@NullMarked
package dev.gavel.web.console.templates.topic;

import org.jspecify.annotations.NullMarked;
