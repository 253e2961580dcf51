package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task in the ledger writer's queue with its stream, weight, result and callback. Confined to the writer's thread
 * once it is submitted.
 */
final class SubmittedTask<R> {
    private static final Logger LOG = LoggerFactory.getLogger(SubmittedTask.class);

    private final String stream;
    private final int bytes;
    private final boolean essential;
    private final WriterTask<R> task;
    private final Consumer<? super WriteResult<R>> callback;
    private @Nullable WriteResult<R> result;

    SubmittedTask(
            String stream,
            int weight,
            boolean essential,
            WriterTask<R> task,
            Consumer<? super WriteResult<R>> callback) {
        this.stream = stream;
        this.bytes = weight;
        this.essential = essential;
        this.task = task;
        this.callback = callback;
    }

    /** Returns the number of bytes that the task holds. */
    int bytes() {
        return bytes;
    }

    /** Whether the task is written even if the disk is almost full. */
    boolean isEssential() {
        return essential;
    }

    String stream() {
        return stream;
    }

    /** Lets the task decide and stores the result, which {@link #complete()} reports later. */
    void decide(BatchBuilder batchBuilder, Duration retryAfter) {
        try {
            TaskDecision<R> taskDecision = batchBuilder.decide(stream, task);
            result = new WriteResult.Written<>(taskDecision.result(), taskDecision.events());
        } catch (LedgerException e) {
            result = new WriteResult.Unavailable<>(String.valueOf(e.getMessage()), retryAfter);
        } catch (Throwable e) { // Nothing that a task throws may end the writer.
            result = new WriteResult.Failed<>(e);
        }
    }

    /** Reports the result; called once the decision is durable. */
    void complete() {
        WriteResult<R> current = result;
        if (current == null) {
            throw new IllegalStateException("completed before it was decided");
        }
        complete(current);
    }

    /** Calls the submitter's callback. An exception of the callback does not affect other tasks. */
    void complete(WriteResult<R> outcome) {
        try {
            callback.accept(outcome);
        } catch (Throwable e) {
            LOG.error("The callback of a ledger write failed.", e);
        }
    }
}
