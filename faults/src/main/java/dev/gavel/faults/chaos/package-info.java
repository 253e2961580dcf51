/**
 * The chaos test ({@code faults/chaos}): injects faults into a gateway cluster by a seeded plan, then checks the ledger
 * and what every participant received against the guarantees.
 */
@NullMarked
package dev.gavel.faults.chaos;

import org.jspecify.annotations.NullMarked;
