package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.LedgerException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Runs transactions on the only writing SQLite connection, one at a time, and reopens the connection after failures. A
 * failed transaction is rolled back; if the rollback fails too, the connection is replaced. Thread-safe.
 */
final class SqliteTransactionRunner implements AutoCloseable {
    /** An operation on the write connection. */
    @FunctionalInterface
    interface Work<T> {
        T run(SqliteSession session) throws SQLException;
    }

    private final Path file;
    private final SqliteOptions options;

    /** Fair, so that batches are written between several long rebuilds or prunings. */
    private final ReentrantLock writeLock = new ReentrantLock(true);

    private @Nullable SqliteSession session;
    private boolean closed;

    SqliteTransactionRunner(Path file, SqliteOptions options, SqliteSession session) {
        this.file = file;
        this.options = options;
        this.session = session;
    }

    /** Runs work in a transaction. If it throws anything, the transaction is rolled back. */
    <T> T inTransaction(Work<T> work) throws SQLException {
        writeLock.lock();
        try {
            SqliteSession current = currentSession();
            current.execute("BEGIN IMMEDIATE");
            boolean committed = false;
            try {
                T result = work.run(current);
                current.execute("COMMIT");
                committed = true;
                return result;
            } finally {
                if (!committed) {
                    rollBackOrClose(current);
                }
            }
        } finally {
            writeLock.unlock();
        }
    }

    /** Runs work while no transaction is being written. */
    <T> T withWriteLock(Work<T> work) throws SQLException {
        writeLock.lock();
        try {
            return work.run(currentSession());
        } finally {
            writeLock.unlock();
        }
    }

    private SqliteSession currentSession() throws SQLException {
        if (closed) {
            throw new LedgerException("the ledger is closed");
        }
        if (session == null) {
            session = SqliteSession.forWriting(file, options);
        }
        return session;
    }

    private void rollBackOrClose(SqliteSession failed) {
        try {
            failed.rollback();
        } catch (SQLException e) {
            session = null;
            failed.close();
        }
    }

    /** Returns why a batch could not be written, for the submitters. */
    static String reason(SQLException failure) {
        return switch (code(failure)) {
            case SQLITE_FULL -> "the ledger's disk is full";
            case SQLITE_BUSY, SQLITE_LOCKED -> "another program has locked the ledger";
            default -> "the ledger cannot be written: " + failure.getMessage();
        };
    }

    /** Whether the failure is that a unique value, such as a reference, is already stored. */
    static boolean isDuplicateReference(SQLException failure) {
        return failure instanceof SQLiteException sqlite
                && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE;
    }

    /** Returns the primary error code, without the extended bits. */
    private static SQLiteErrorCode code(SQLException failure) {
        return failure instanceof SQLiteException sqlite
                ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & 0xff)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    @Override
    public void close() {
        writeLock.lock();
        try {
            closed = true;
            if (session != null) {
                session.close();
                session = null;
            }
        } finally {
            writeLock.unlock();
        }
    }
}
