/** Figures of the SEP desk, taken within the process: what is measured is its own work and the ledger's. */
@NullMarked
package dev.gavel.bench.seps;

import org.jspecify.annotations.NullMarked;
