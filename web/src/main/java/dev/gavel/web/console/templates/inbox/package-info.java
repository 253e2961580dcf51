/**
 * Classes that the build generates from the templates in {@code src/main/jte/inbox}; no class here is written by hand.
 */
@NullMarked
package dev.gavel.web.console.templates.inbox;

import org.jspecify.annotations.NullMarked;
