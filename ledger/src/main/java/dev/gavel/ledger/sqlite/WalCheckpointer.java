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
 * Moves committed pages from SQLite's write-ahead log into the database file on a background thread. Writers normally
 * do not wait for it. If the log grows beyond 64 MiB because writers never pause, they are blocked for a moment. If it
 * grows beyond 256 MiB because readers never pause either, writers wait until the readers are done. Thread-safe.
 */
final class WalCheckpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WalCheckpointer.class);

    /** Bytes written between two checkpoints: enough that frequently written pages are moved only once. */
    private static final long INTERVAL = 16 << 20;

    /** The estimate per event: besides its own bytes, an event changes pages of several indexes. */
    private static final long BYTES_PER_EVENT = 8192;

    /** Pages in the log above which it is restarted: 64 MiB. */
    private static final long LONG_LOG_PAGES = 16 * 1024;

    /** Pages in the log above which a checkpoint also waits for readers, since there was always one: 256 MiB. */
    private static final long VERY_LONG_LOG_PAGES = 4 * LONG_LOG_PAGES;

    private final Path file;
    private final SqliteOptions options;
    private final SqliteTransactionRunner transactionRunner;
    private final AtomicLong bytesSinceCheckpoint = new AtomicLong();
    private final Semaphore checkpointRequests = new Semaphore(0);
    private final BackgroundThread backgroundThread;
    private volatile boolean closed;

    WalCheckpointer(Path file, SqliteOptions options, SqliteTransactionRunner sqliteTransactionRunner) {
        this.file = file;
        this.options = options;
        this.transactionRunner = sqliteTransactionRunner;
        this.backgroundThread = BackgroundThread.start("gavel-checkpoint", this::run);
    }

    /** Counts committed data and requests a checkpoint once there is enough. */
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
                // Nothing is lost: the log only grows until the next checkpoint succeeds.
                LOG.warn("The ledger's write-ahead log could not be checkpointed: {}", e.getMessage());
            }
        }
    }

    private void checkpoint() throws SQLException {
        long pages;
        try (SqliteSession session = SqliteSession.forWriting(file, options)) {
            pages = checkpointWal(session, "PASSIVE");
        }
        if (pages > VERY_LONG_LOG_PAGES) {
            transactionRunner.withWriteLock(session -> checkpointWal(session, "TRUNCATE"));
        } else if (pages > LONG_LOG_PAGES) {
            // Moves the pages written in the meantime while writers are blocked for a few milliseconds. The next writer
            // then starts at the beginning of the log, if no read is in progress at that moment. The log keeps its
            // length, because syncing a log that grows again is slower.
            transactionRunner.withWriteLock(session -> checkpointWal(session, "PASSIVE"));
        }
    }

    /** Runs a checkpoint. Returns the number of pages in the log. */
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
