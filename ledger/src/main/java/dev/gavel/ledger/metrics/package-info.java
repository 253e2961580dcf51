/** The histogram in which the server counts durations for its metrics. */
@NullMarked
package dev.gavel.ledger.metrics;

import org.jspecify.annotations.NullMarked;
