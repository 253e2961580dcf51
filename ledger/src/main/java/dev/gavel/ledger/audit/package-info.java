/**
 * Finds out whether a ledger still says what was written: {@link dev.gavel.ledger.audit.Audit} follows the chain of each
 * stream and names what is edited, missing, reordered or inserted. It only reads, and asks nothing of a database but the
 * pages of its chains.
 */
@NullMarked
package dev.gavel.ledger.audit;

import org.jspecify.annotations.NullMarked;
