/**
 * Measured rounds, time samples and disk sync rates, and the ratio of each measurement to the reference that it is
 * compared with.
 */
@NullMarked
package dev.gavel.bench.stats;

import org.jspecify.annotations.NullMarked;
