package dev.gavel.gateway.call;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a recorded call ended. */
public enum CallOutcome {
    /** An addressee answered with a result. */
    OK,
    /** An addressee answered with a JSON-RPC error or a tool's {@code isError}. */
    ERROR,
    /** The gateway did not deliver the call to an addressee. */
    UNDELIVERED,
    /** The addressee left before it answered. */
    LEFT,
    /** The addressee did not answer in time. */
    TIMEOUT,
    /** The call was cancelled, or its caller stopped waiting for it. It may have run. */
    CANCELLED,
    /** The ledger has no answer: the call still runs, or its answer was never recorded. */
    UNANSWERED,
    /** The answer was not searched for, because too many later records would have to be read. */
    UNKNOWN;

    /** The name in records, queries and output. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether an addressee answered. */
    boolean isResponse() {
        return this == OK || this == ERROR;
    }

    public static Optional<CallOutcome> parse(String label) {
        return Arrays.stream(values())
                .filter(outcome -> outcome.label().equals(label))
                .findFirst();
    }
}
