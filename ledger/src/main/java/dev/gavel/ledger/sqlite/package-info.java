/**
 * Stores the ledger in one SQLite file that a single process writes in WAL mode, syncing every commit. Other processes
 * can open the file read-only at the same time.
 */
@NullMarked
package dev.gavel.ledger.sqlite;

import org.jspecify.annotations.NullMarked;
