package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.sql.SqlLedgerReader;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ledger inside a PostgreSQL write transaction and remembers any failed read, because the transaction must
 * then fail. A task may treat a failed read as its own failure and let the batch continue; {@link #throwIfFailed} then
 * makes the batch fail. Not thread-safe.
 */
final class WriteTransactionReader extends SqlLedgerReader {
    private final PostgresSession session;
    private final LockedStreamRows streams;
    private @Nullable SQLException failure;

    WriteTransactionReader(PostgresSession session, LockedStreamRows streams) {
        super(session, PostgresSession.QUERIES);
        this.session = session;
        this.streams = streams;
    }

    @Override
    public RetainedStreamRange retainedRange(String stream) {
        LockedStreamRows.StreamRow locked = streams.find(stream);
        return locked == null ? super.retainedRange(stream) : locked.range();
    }

    @Override
    public Optional<Hash> headHash(String stream) {
        return Optional.ofNullable(streams.find(stream)).map(locked -> locked.head);
    }

    @Override
    public long lastIdentitySeq() {
        if (streams.find(IDENTITY_STREAM) == null) {
            readOrThrow(() -> {
                session.execute(AdvisoryLockSql.IDENTITIES.lockSharedForTransaction());
                return 0;
            });
        }
        return super.lastIdentitySeq();
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

    /** Throws the exception of the first failed read, if any. */
    void throwIfFailed() throws SQLException {
        if (failure != null) {
            throw failure;
        }
    }
}
