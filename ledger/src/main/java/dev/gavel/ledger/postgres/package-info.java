/**
 * The ledger in a PostgreSQL database, for as many processes as like: {@link dev.gavel.ledger.postgres.PostgresLedger}.
 * Seqs are given under the lock of their stream's row, so they become visible in order; what the database was asked to
 * write when it went away is written once, or not at all. {@link dev.gavel.ledger.postgres.PostgresLeases} says which
 * process does what only one may do.
 */
@NullMarked
package dev.gavel.ledger.postgres;

import org.jspecify.annotations.NullMarked;
