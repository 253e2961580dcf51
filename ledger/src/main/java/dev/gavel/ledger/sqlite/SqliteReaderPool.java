package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.LedgerException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lends a limited number of read-only SQLite connections and makes further readers wait. Thread-safe. */
final class SqliteReaderPool implements AutoCloseable {
    private final Path file;
    private final SqliteOptions options;
    private final Semaphore permits;
    private final Deque<SqliteLedgerReader> idle = new ArrayDeque<>();
    private boolean closed;

    SqliteReaderPool(Path file, SqliteOptions options) {
        this.file = file;
        this.options = options;
        this.permits = new Semaphore(options.readers(), true);
    }

    <T> T read(Function<SqliteLedgerReader, T> operation) {
        permits.acquireUninterruptibly();
        try {
            SqliteLedgerReader reader = borrow();
            boolean reusable = false;
            try {
                T result = operation.apply(reader);
                reusable = true;
                return result;
            } finally {
                release(reader, reusable);
            }
        } finally {
            permits.release();
        }
    }

    private SqliteLedgerReader borrow() {
        SqliteLedgerReader reader = pollIdle();
        if (reader != null) {
            return reader;
        }
        try {
            return new SqliteLedgerReader(SqliteSession.forReading(file, options));
        } catch (SQLException e) {
            throw new LedgerException("the ledger could not be opened for reading: " + e.getMessage(), e);
        }
    }

    private synchronized @Nullable SqliteLedgerReader pollIdle() {
        if (closed) {
            throw new LedgerException("the ledger is closed");
        }
        return idle.pollFirst();
    }

    /**
     * Returns a reader to the pool, or closes it if a read on it failed: a new connection is cheap, a broken one is
     * harmful.
     */
    private synchronized void release(SqliteLedgerReader reader, boolean reusable) {
        if (reusable && !closed) {
            idle.addFirst(reader);
        } else {
            reader.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(SqliteLedgerReader::close);
        idle.clear();
    }
}
