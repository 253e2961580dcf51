package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.LedgerFailure;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The few connections that read, opened as they are needed; who finds none free waits. Thread-safe. */
final class Readers implements AutoCloseable {
    private final Path file;
    private final SqliteOptions options;
    private final Semaphore permits;
    private final Deque<SqliteReader> idle = new ArrayDeque<>();
    private boolean closed;

    Readers(Path file, SqliteOptions options) {
        this.file = file;
        this.options = options;
        this.permits = new Semaphore(options.readers(), true);
    }

    <T> T read(Function<SqliteReader, T> reading) {
        permits.acquireUninterruptibly();
        try {
            SqliteReader reader = take();
            boolean sound = false;
            try {
                T result = reading.apply(reader);
                sound = true;
                return result;
            } finally {
                giveBack(reader, sound);
            }
        } finally {
            permits.release();
        }
    }

    private SqliteReader take() {
        SqliteReader reader = taken();
        if (reader != null) {
            return reader;
        }
        try {
            return new SqliteReader(Session.forReading(file, options));
        } catch (SQLException e) {
            throw new LedgerFailure("the ledger could not be opened for reading: " + e.getMessage(), e);
        }
    }

    private synchronized @Nullable SqliteReader taken() {
        if (closed) {
            throw new LedgerFailure("the ledger is closed");
        }
        return idle.pollFirst();
    }

    /** What failed once is not used again: a connection is cheap, a broken one is not. */
    private synchronized void giveBack(SqliteReader reader, boolean sound) {
        if (sound && !closed) {
            idle.addFirst(reader);
        } else {
            reader.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(SqliteReader::close);
        idle.clear();
    }
}
