package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task in the ledger writer's queue with its stream, weight, result and callback. Used by the writer's thread alone
 * once it is submitted.
 */
final class SubmittedTask<R> {
    private static final Logger LOG = LoggerFactory.getLogger(SubmittedTask.class);

    private final String stream;
    private final int weight;
    private final WriterTask<R> task;
    private final Consumer<? super WriteResult<R>> callback;
    private @Nullable WriteResult<R> result;

    SubmittedTask(String stream, int weight, WriterTask<R> task, Consumer<? super WriteResult<R>> then) {
        this.stream = stream;
        this.weight = weight;
        this.task = task;
        this.callback = then;
    }

    /** How many bytes it brings. */
    int weight() {
        return weight;
    }

    String stream() {
        return stream;
    }

    /** Lets the task decide; what it decides is told only by {@link #complete}. */
    void decide(BatchBuilder batchBuilder, Duration retryAfter) {
        try {
            TaskDecision<R> taskDecision = batchBuilder.decide(stream, task);
            result = new WriteResult.Written<>(taskDecision.result(), taskDecision.events());
        } catch (LedgerException e) {
            result = new WriteResult.Unavailable<>(String.valueOf(e.getMessage()), retryAfter);
        } catch (Throwable e) { // A task must not take the writer down with it, whatever it throws.
            result = new WriteResult.Failed<>(e);
        }
    }

    /** What was decided is durable. */
    void complete() {
        WriteResult<R> decided = result;
        if (decided == null) {
            throw new IllegalStateException("told before it was decided");
        }
        complete(decided);
    }

    /** Tells the one who asked. Their mistakes are not the next one's. */
    void complete(WriteResult<R> what) {
        try {
            callback.accept(what);
        } catch (Throwable e) {
            LOG.error("What was to be done after writing to the ledger failed.", e);
        }
    }
}
