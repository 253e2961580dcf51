/**
 * Implements group commit: the ledger writer queues tasks, lets each decide against durable and already decided state,
 * commits the whole batch in one transaction, and then reports the results.
 */
@NullMarked
package dev.gavel.ledger.writer;

import org.jspecify.annotations.NullMarked;
