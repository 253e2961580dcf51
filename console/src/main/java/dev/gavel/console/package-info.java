/**
 * The pages people look at. Here is what all have: what stands around them ({@link dev.gavel.console.Frame}), how they are
 * written ({@link dev.gavel.console.Templates}), the files they come with ({@link dev.gavel.console.Assets}). Each part of
 * the console has a package of its own. Pure: what is shown is a function of what is known.
 */
@NullMarked
package dev.gavel.console;

import org.jspecify.annotations.NullMarked;
