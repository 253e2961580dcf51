package dev.gavel.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Converts instants to microseconds since 1970 and back. Stateless. */
public final class EpochMicros {
    /** A second later than could be: the JDK counts whole seconds first, and would count too far. */
    private static final Instant EARLIEST =
            Instant.EPOCH.plus(Long.MIN_VALUE, ChronoUnit.MICROS).plusSeconds(1);

    private static final Instant LATEST = Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS);

    private EpochMicros() {}

    /** Times too far away to count, such as {@link Instant#MAX}, become the farthest that can be. */
    public static long of(Instant time) {
        if (time.isBefore(EARLIEST)) {
            return Long.MIN_VALUE;
        }
        return time.isAfter(LATEST) ? Long.MAX_VALUE : ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    public static @Nullable Long ofNullable(@Nullable Instant time) {
        return time == null ? null : of(time);
    }

    public static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
