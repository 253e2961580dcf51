/** How long things took, counted by plain means: {@link dev.gavel.ledger.measure.Histogram}. */
@NullMarked
package dev.gavel.ledger.measure;

import org.jspecify.annotations.NullMarked;
