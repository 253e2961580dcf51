package dev.gavel.ledger.sqlite;

import java.time.Duration;

/**
 * Options of a SQLite ledger: lock timeout, number of concurrent readers and size of the writer's page cache.
 * Immutable.
 *
 * @param busyTimeout how long to wait for another connection's lock on the file
 * @param readers the number of concurrent reads
 * @param writerCacheKib the size of the write connection's page cache in KiB; pages are allocated as they are used
 */
public record SqliteOptions(Duration busyTimeout, int readers, int writerCacheKib) {
    public static final SqliteOptions DEFAULT = new SqliteOptions(Duration.ofSeconds(2), 4, 64 * 1024);

    public SqliteOptions {
        if (readers < 1) {
            throw new IllegalArgumentException("at least one reader is needed, not " + readers);
        }
    }

    public SqliteOptions busyTimeout(Duration timeout) {
        return new SqliteOptions(timeout, readers, writerCacheKib);
    }
}
