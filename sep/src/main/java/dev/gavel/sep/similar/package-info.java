/** Which proposals are about the same thing: an index of their words, in memory. Pure. */
@NullMarked
package dev.gavel.sep.similar;

import org.jspecify.annotations.NullMarked;
