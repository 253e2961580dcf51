package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import java.time.Duration;
import java.util.List;

/** The result of a writer task: written, failed, or unavailable with a retry time. */
public sealed interface WriteResult<R> {
    /** The decision is durable, with these events; there are none if the task had nothing to write. */
    record Written<R>(R result, List<LedgerEvent> events) implements WriteResult<R> {}

    /** The task threw, or its decision could not be written; nothing was written. */
    record Failed<R>(Throwable cause) implements WriteResult<R> {}

    /** Nothing was written, for reasons outside the task: the submitter may retry after {@code retryAfter}. */
    record Unavailable<R>(String reason, Duration retryAfter) implements WriteResult<R> {}
}
