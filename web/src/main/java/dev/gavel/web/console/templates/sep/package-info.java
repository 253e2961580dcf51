/**
 * Classes that the build generates from the templates in {@code src/main/jte/sep}; no class here is written by hand.
 */
@NullMarked
package dev.gavel.web.console.templates.sep;

import org.jspecify.annotations.NullMarked;
