package dev.gavel.app.register;

import java.time.Duration;
import java.util.List;

/** What became of a command. */
public sealed interface Answer {
    /**
     * It is durable and in effect.
     *
     * @param register how things stand now
     * @param changes what it changed
     */
    record Done(Register register, List<Change> changes) implements Answer {
        public Done {
            changes = List.copyOf(changes);
        }
    }

    /** Nothing was changed, and this is why. */
    record Refused(Ruling.Refused ruling) implements Answer {}

    /** Nothing was changed: there is no ledger to keep it in. */
    record NoLedger() implements Answer {}

    /** Nothing was changed, through nobody's fault. */
    record Unavailable(String reason, Duration retryAfter) implements Answer {}
}
