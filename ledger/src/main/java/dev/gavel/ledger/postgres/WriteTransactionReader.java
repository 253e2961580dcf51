package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.sql.SqlLedgerReader;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ledger within the PostgreSQL write transaction and remembers a failed read, which invalidates the
 * transaction. Those who decide may take a failed reading for their own misfortune and go on; here it is remembered,
 * since the transaction has failed with it. Not thread-safe.
 */
final class WriteTransactionReader extends SqlLedgerReader {
    private final LockedStreams streams;
    private @Nullable SQLException failure;

    WriteTransactionReader(PostgresSession session, LockedStreams streams) {
        super(session, PostgresSession.QUERIES);
        this.streams = streams;
    }

    @Override
    public RetainedStreamRange retainedRange(String stream) {
        LockedStreams.StreamRow locked = streams.find(stream);
        return locked == null ? super.retainedRange(stream) : locked.range();
    }

    @Override
    public Optional<Hash> headHash(String stream) {
        return Optional.ofNullable(streams.find(stream)).map(locked -> locked.head);
    }

    @Override
    protected <T> T readOrThrow(SqlRead<T> sqlRead) {
        try {
            return super.readOrThrow(sqlRead);
        } catch (LedgerException e) {
            if (failure == null && e.getCause() instanceof SQLException cause) {
                failure = cause;
            }
            throw e;
        }
    }

    /** Throws what a reading failed by, where one did. */
    void throwIfFailed() throws SQLException {
        if (failure != null) {
            throw failure;
        }
    }
}
