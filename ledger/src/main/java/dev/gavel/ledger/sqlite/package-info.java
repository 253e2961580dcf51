/**
 * The ledger in one SQLite file, for a single process: {@link dev.gavel.ledger.sqlite.SqliteLedger}. Written in WAL mode
 * with every commit synced; read by a few connections of their own; checkpointed by a thread of its own. {@link
 * dev.gavel.ledger.sqlite.SqliteView} reads the same file beside that process.
 */
@NullMarked
package dev.gavel.ledger.sqlite;

import org.jspecify.annotations.NullMarked;
