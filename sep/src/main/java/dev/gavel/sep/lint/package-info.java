/** Checks documents of proposals and reports problems with their position and a fix. Pure. */
@NullMarked
package dev.gavel.sep.lint;

import org.jspecify.annotations.NullMarked;
