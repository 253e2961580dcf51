/**
 * Opens the ledger that the configuration names, in SQLite or PostgreSQL: {@link dev.gavel.app.ledger.LedgerHandle}.
 */
@NullMarked
package dev.gavel.app.ledger;

import org.jspecify.annotations.NullMarked;
