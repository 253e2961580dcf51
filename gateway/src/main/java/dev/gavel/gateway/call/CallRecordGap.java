package dev.gavel.gateway.call;

import java.time.Instant;
import java.util.Optional;

/**
 * A place in a topic's call records where records are missing, and why. Immutable.
 *
 * @param at the time before which records are missing
 * @param since the time from which on they are missing, if it is known
 * @param count the number of missing records, if it is known
 */
public record CallRecordGap(Instant at, Optional<Instant> since, Optional<Long> count, Reason reason) {
    /** Why records are missing. */
    public enum Reason {
        /** More records waited for the ledger than the gateway keeps in memory. */
        OVERFLOW("Too many records waited for the ledger, so the gateway dropped some."),
        /** A gateway process was killed or crashed. */
        INTERRUPTED("A gateway stopped without shutting down. Up to one second of its calls is not recorded."),
        /** Retention deleted the records. */
        RETENTION("Retention deleted all earlier records.");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** A sentence for people. */
        public String text() {
            return text;
        }
    }
}
