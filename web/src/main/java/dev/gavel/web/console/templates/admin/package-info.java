/**
 * Classes that the build generates from the templates in {@code src/main/jte/admin}; no class here is written by hand.
 */
@NullMarked
package dev.gavel.web.console.templates.admin;

import org.jspecify.annotations.NullMarked;
