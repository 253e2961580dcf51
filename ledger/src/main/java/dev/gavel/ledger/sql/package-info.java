/**
 * What ledgers in SQL databases have in common, whatever the database: the questions asked ({@link
 * dev.gavel.ledger.sql.SqlReader}), the chain, pruning and rebuilding. How the databases differ is said by a {@link
 * dev.gavel.ledger.sql.Dialect}; connecting, transactions and appending are each database's own.
 */
@NullMarked
package dev.gavel.ledger.sql;

import org.jspecify.annotations.NullMarked;
