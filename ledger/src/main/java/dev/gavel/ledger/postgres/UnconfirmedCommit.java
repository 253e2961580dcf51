package dev.gavel.ledger.postgres;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.sql.HashChainReader;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;

/**
 * Checks, by its last event, whether a batch was stored after the database's reply to the commit was lost. Immutable.
 */
record UnconfirmedCommit(long stream, long seq, Hash hash) {
    /**
     * Whether the event is stored. The caller must have locked the stream; otherwise the event may still be written
     * later.
     */
    boolean isStored(PostgresSession session) throws SQLException {
        return session.first(
                        "SELECT hash FROM event WHERE stream = ? AND seq = ?",
                        row -> Optional.ofNullable(HashChainReader.hash(row, 1)),
                        stream,
                        seq)
                .flatMap(storedHash -> storedHash)
                .filter(storedHash -> Objects.equals(storedHash, hash))
                .isPresent();
    }
}
