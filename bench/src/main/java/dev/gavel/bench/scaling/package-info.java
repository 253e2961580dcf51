/**
 * The scaling benchmark ({@code bench/growth}): what a delivery, a commit and a participant's presence cost with one,
 * two and three gateways.
 */
@NullMarked
package dev.gavel.bench.scaling;

import org.jspecify.annotations.NullMarked;
