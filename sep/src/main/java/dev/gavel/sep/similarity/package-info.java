/** Finds similar SEPs with an in-memory index of their words. Pure. */
@NullMarked
package dev.gavel.sep.similarity;

import org.jspecify.annotations.NullMarked;
