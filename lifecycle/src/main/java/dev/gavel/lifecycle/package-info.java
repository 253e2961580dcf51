/** Tmp. */
@NullMarked
package dev.gavel.lifecycle;

import org.jspecify.annotations.NullMarked;
