/**
 * Verifies the hash chains of a ledger and reports events that were edited, removed, reordered or inserted after they
 * were written. It only reads the ledger, one page of the chain at a time.
 */
@NullMarked
package dev.gavel.ledger.audit;

import org.jspecify.annotations.NullMarked;
