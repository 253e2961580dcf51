package dev.gavel.ledger.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Times as microseconds since 1970, which sort, compare and fit a number. */
final class Micros {
    private static final Instant EARLIEST = Instant.EPOCH.plus(Long.MIN_VALUE, ChronoUnit.MICROS);
    private static final Instant LATEST = Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS);

    private Micros() {}

    /** Times too far away to count, such as {@link Instant#MAX}, become the farthest that can be. */
    static long of(Instant time) {
        if (time.isBefore(EARLIEST)) {
            return Long.MIN_VALUE;
        }
        return time.isAfter(LATEST) ? Long.MAX_VALUE : ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    static @Nullable Long ofNullable(@Nullable Instant time) {
        return time == null ? null : of(time);
    }

    static Instant read(ResultSet row, int column) throws SQLException {
        return Instant.EPOCH.plus(row.getLong(column), ChronoUnit.MICROS);
    }

    static @Nullable Instant readNullable(ResultSet row, int column) throws SQLException {
        Instant time = read(row, column);
        return row.wasNull() ? null : time;
    }
}
