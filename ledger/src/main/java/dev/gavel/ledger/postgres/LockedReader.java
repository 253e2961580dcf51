package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Extent;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.sql.SqlReader;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads within the transaction that writes. Those who decide may take a failed reading for their own misfortune and go on;
 * here it is remembered, since the transaction has failed with it. Not thread-safe.
 */
final class LockedReader extends SqlReader {
    private final Streams streams;
    private @Nullable SQLException failure;

    LockedReader(PostgresSession session, Streams streams) {
        super(session, PostgresSession.QUESTIONS);
        this.streams = streams;
    }

    @Override
    public Extent extent(String stream) {
        Streams.Row locked = streams.find(stream);
        return locked == null ? super.extent(stream) : locked.extent();
    }

    @Override
    public Optional<Hash> head(String stream) {
        return Optional.ofNullable(streams.find(stream)).map(locked -> locked.head);
    }

    @Override
    protected <T> T reading(Reading<T> reading) {
        try {
            return super.reading(reading);
        } catch (LedgerFailure e) {
            if (failure == null && e.getCause() instanceof SQLException cause) {
                failure = cause;
            }
            throw e;
        }
    }

    /** Throws what a reading failed by, where one did. */
    void check() throws SQLException {
        if (failure != null) {
            throw failure;
        }
    }
}
