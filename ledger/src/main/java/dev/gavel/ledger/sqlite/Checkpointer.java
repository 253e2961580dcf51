package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.Worker;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what was committed from the write-ahead log into the database, on a thread of its own, so that no commit waits
 * for it. Only when the log has grown very long, because writers never left it a gap, are they held up for a
 * moment; when it has grown four times as long, because readers did not either, they wait for these. Thread-safe.
 */
final class Checkpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);

    /** Bytes written between two checkpoints: enough that pages written often are moved once. */
    private static final long INTERVAL = 16 << 20;

    /** An event touches pages of several indexes besides its own bytes. */
    private static final long BYTES_AN_EVENT = 8192;

    /** Pages in the log above which it is started anew: 64 MiB. */
    private static final long LONG_LOG = 16 * 1024;

    /** Pages above which readers are waited for, too, since there was always one: 256 MiB. */
    private static final long VERY_LONG_LOG = 4 * LONG_LOG;

    private final Path file;
    private final SqliteOptions options;
    private final Writing writing;
    private final AtomicLong written = new AtomicLong();
    private final Semaphore wanted = new Semaphore(0);
    private final Worker worker;
    private volatile boolean closed;

    Checkpointer(Path file, SqliteOptions options, Writing writing) {
        this.file = file;
        this.options = options;
        this.writing = writing;
        this.worker = Worker.start("gavel-checkpoint", this::run);
    }

    /** So much was committed. */
    void written(int events, long bytes) {
        if (written.addAndGet(bytes + BYTES_AN_EVENT * events) > INTERVAL) {
            written.set(0);
            wanted.release();
        }
    }

    private void run() {
        while (true) {
            wanted.acquireUninterruptibly();
            wanted.drainPermits();
            if (closed) {
                return;
            }
            try {
                checkpoint();
            } catch (SQLException | LedgerFailure e) {
                // Nothing is lost: the log only grows until the next one succeeds.
                LOG.warn("The ledger's log could not be checkpointed: {}", e.getMessage());
            }
        }
    }

    private void checkpoint() throws SQLException {
        long pages;
        try (Session session = Session.forWriting(file, options)) {
            pages = log(session, "PASSIVE");
        }
        if (pages > VERY_LONG_LOG) {
            writing.alone(session -> log(session, "TRUNCATE"));
        } else if (pages > LONG_LOG) {
            // What came meanwhile is moved while nobody writes, a few milliseconds: then whoever writes next begins at
            // the log's start, if nobody reads at that moment. It keeps its length: growing again is slower to sync.
            writing.alone(session -> log(session, "PASSIVE"));
        }
    }

    /** The pages in the log after a checkpoint. */
    private static long log(Session session, String mode) throws SQLException {
        return session.first("PRAGMA wal_checkpoint(" + mode + ")", row -> row.getLong(2))
                .orElse(0L);
    }

    @Override
    public void close() {
        closed = true;
        wanted.release();
        worker.awaitEnd();
    }
}
