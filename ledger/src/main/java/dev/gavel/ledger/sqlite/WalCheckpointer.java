package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.BackgroundThread;
import dev.gavel.ledger.LedgerException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves committed pages from SQLite's write-ahead log into the database file on a background thread. Only when the log
 * has grown very long, because writers never left it a gap, are they held up for a moment; when it has grown four times
 * as long, because readers did not either, they wait for these. Thread-safe.
 */
final class WalCheckpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WalCheckpointer.class);

    /** Bytes written between two checkpoints: enough that pages written often are moved once. */
    private static final long INTERVAL = 16 << 20;

    /** An event touches pages of several indexes besides its own bytes. */
    private static final long BYTES_PER_EVENT = 8192;

    /** Pages in the log above which it is started anew: 64 MiB. */
    private static final long LONG_LOG_PAGES = 16 * 1024;

    /** Pages above which readers are waited for, too, since there was always one: 256 MiB. */
    private static final long VERY_LONG_LOG_PAGES = 4 * LONG_LOG_PAGES;

    private final Path file;
    private final SqliteOptions options;
    private final SqliteWriteConnection writeConnection;
    private final AtomicLong bytesSinceCheckpoint = new AtomicLong();
    private final Semaphore checkpointRequests = new Semaphore(0);
    private final BackgroundThread backgroundThread;
    private volatile boolean closed;

    WalCheckpointer(Path file, SqliteOptions options, SqliteWriteConnection sqliteWriteConnection) {
        this.file = file;
        this.options = options;
        this.writeConnection = sqliteWriteConnection;
        this.backgroundThread = BackgroundThread.start("gavel-checkpoint", this::run);
    }

    /** So much was committed. */
    void onCommit(int events, long bytes) {
        if (bytesSinceCheckpoint.addAndGet(bytes + BYTES_PER_EVENT * events) > INTERVAL) {
            bytesSinceCheckpoint.set(0);
            checkpointRequests.release();
        }
    }

    private void run() {
        while (true) {
            checkpointRequests.acquireUninterruptibly();
            checkpointRequests.drainPermits();
            if (closed) {
                return;
            }
            try {
                checkpoint();
            } catch (SQLException | LedgerException e) {
                // Nothing is lost: the log only grows until the next one succeeds.
                LOG.warn("The ledger's log could not be checkpointed: {}", e.getMessage());
            }
        }
    }

    private void checkpoint() throws SQLException {
        long pages;
        try (SqliteSession session = SqliteSession.forWriting(file, options)) {
            pages = checkpointWal(session, "PASSIVE");
        }
        if (pages > VERY_LONG_LOG_PAGES) {
            writeConnection.withWriteLock(session -> checkpointWal(session, "TRUNCATE"));
        } else if (pages > LONG_LOG_PAGES) {
            // What came meanwhile is moved while nobody writes, a few milliseconds: then whoever writes next begins at
            // the log's start, if nobody reads at that moment. It keeps its length: growing again is slower to sync.
            writeConnection.withWriteLock(session -> checkpointWal(session, "PASSIVE"));
        }
    }

    /** The pages in the log after a checkpoint. */
    private static long checkpointWal(SqliteSession session, String mode) throws SQLException {
        return session.first("PRAGMA wal_checkpoint(" + mode + ")", row -> row.getLong(2))
                .orElse(0L);
    }

    @Override
    public void close() {
        closed = true;
        checkpointRequests.release();
        backgroundThread.joinUninterruptibly();
    }
}
