/**
 * Group commit: {@link dev.gavel.ledger.writer.LedgerWriter} takes {@link dev.gavel.ledger.writer.Task}s from everywhere,
 * lets each decide against what is durable plus what the same batch has decided, makes the batch durable in one go, and
 * only then tells anybody.
 */
@NullMarked
package dev.gavel.ledger.writer;

import org.jspecify.annotations.NullMarked;
