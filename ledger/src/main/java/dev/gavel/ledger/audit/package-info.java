/**
 * Verifies the hash chains of a ledger and reports events that were edited, removed, reordered or inserted after they
 * were written. Only reads, through pages of the chain.
 */
@NullMarked
package dev.gavel.ledger.audit;

import org.jspecify.annotations.NullMarked;
