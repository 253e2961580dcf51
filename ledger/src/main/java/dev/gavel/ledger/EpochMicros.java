package dev.gavel.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Converts instants to microseconds since 1970 and back. Stateless. */
public final class EpochMicros {
    /** One second after the earliest time that fits: the JDK converts whole seconds first, and would overflow. */
    private static final Instant EARLIEST =
            Instant.EPOCH.plus(Long.MIN_VALUE, ChronoUnit.MICROS).plusSeconds(1);

    private static final Instant LATEST = Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS);

    private EpochMicros() {}

    /** Converts an instant. Times that do not fit, such as {@link Instant#MAX}, become the nearest value that does. */
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
