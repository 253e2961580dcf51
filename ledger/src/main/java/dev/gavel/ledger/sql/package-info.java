/**
 * Contains the SQL that both database backends share: queries, hash-chain reading, pruning and rebuilding of summaries.
 * A {@code SqlDialect} covers the differences; connections, transactions and appending belong to each backend.
 */
@NullMarked
package dev.gavel.ledger.sql;

import org.jspecify.annotations.NullMarked;
