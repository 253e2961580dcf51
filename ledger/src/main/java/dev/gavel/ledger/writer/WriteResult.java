package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerEvent;
import java.time.Duration;
import java.util.List;

/** The result of a writer task: written, failed, or unavailable with a retry time. */
public sealed interface WriteResult<R> {
    /** What it decided is durable, with these events; none where nothing was to be written. */
    record Written<R>(R result, List<LedgerEvent> events) implements WriteResult<R> {}

    /** It threw, or decided what cannot be written; nothing of it was. */
    record Failed<R>(Throwable cause) implements WriteResult<R> {}

    /** Nothing was written, through no fault of the task: it may be tried again after a while. */
    record Unavailable<R>(String reason, Duration retryAfter) implements WriteResult<R> {}
}
