package dev.gavel.mcp.facade.call;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records in the ledger whether the caller of a proposal waits at this process or has left, and retries while the ledger
 * is unavailable. It writes one event at a time. If the caller returns or leaves during a write or a retry, only the
 * latest change is written next. Confined to the topic's loop.
 */
final class CallerPresenceRecorder {
    private static final long MIN_RETRY_MILLIS = 3_000;
    private static final long MAX_RETRY_MILLIS = 20_000;

    private final TopicCalls topicCalls;
    private final Supplier<CompletionStage<Void>> waitsWrite;
    private final Function<Optional<Duration>, CompletionStage<Void>> leftWrite;

    /** The latest change, until it is recorded. */
    private @Nullable Supplier<CompletionStage<Void>> unrecorded;

    /** Whether a write is in progress, or failed and is retried later. */
    private boolean writing;

    private long retryMillis = MIN_RETRY_MILLIS;

    CallerPresenceRecorder(TopicCalls topicCalls, String proposal) {
        this(
                topicCalls,
                () -> topicCalls.recordCallerWaits(proposal),
                linger -> topicCalls.recordCallerDisconnected(proposal, linger));
    }

    CallerPresenceRecorder(
            TopicCalls topicCalls,
            Supplier<CompletionStage<Void>> waitsWrite,
            Function<Optional<Duration>, CompletionStage<Void>> leftWrite) {
        this.topicCalls = topicCalls;
        this.waitsWrite = waitsWrite;
        this.leftWrite = leftWrite;
    }

    /** Records that the caller waits at this process now. A held approval takes effect. */
    void recordWaits() {
        record(waitsWrite);
    }

    /**
     * Records that the caller lost its connection at this process, and may call again.
     *
     * @param linger how long the caller has to call again; empty until the proposal expires
     */
    void recordLeft(Optional<Duration> linger) {
        record(() -> leftWrite.apply(linger));
    }

    private void record(Supplier<CompletionStage<Void>> change) {
        unrecorded = change;
        if (!writing) {
            writeNext();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process ends first
    private void writeNext() {
        Supplier<CompletionStage<Void>> change = unrecorded;
        writing = change != null;
        if (change == null) {
            return;
        }
        topicCalls.whenCompleteOnLoop(
                change.get(),
                _ -> {
                    retryMillis = MIN_RETRY_MILLIS;
                    if (change.equals(unrecorded)) {
                        unrecorded = null;
                    }
                    writeNext();
                },
                failure -> {
                    if (retryMillis == MIN_RETRY_MILLIS) {
                        topicCalls.log(
                                "It could not be recorded where the caller of a proposal waits. Trying again.",
                                failure);
                    }
                    topicCalls.topic().loop().schedule(this::writeNext, retryMillis, TimeUnit.MILLISECONDS);
                    retryMillis = Math.min(retryMillis * 2, MAX_RETRY_MILLIS);
                });
    }
}
