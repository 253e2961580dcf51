/**
 * Classes that the build generates from the templates in {@code src/main/jte/sep/act}; no class here is written by
 * hand.
 */
@NullMarked
package dev.gavel.web.console.templates.sep.act;

import org.jspecify.annotations.NullMarked;
