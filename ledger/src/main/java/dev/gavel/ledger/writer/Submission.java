package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerFailure;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task, what it decided, and whom to tell. Used by the writer's thread alone once it is submitted. */
final class Submission<R> {
    private static final Logger LOG = LoggerFactory.getLogger(Submission.class);

    private final String stream;
    private final int weight;
    private final Task<R> task;
    private final Consumer<? super Outcome<R>> then;
    private @Nullable Outcome<R> outcome;

    Submission(String stream, int weight, Task<R> task, Consumer<? super Outcome<R>> then) {
        this.stream = stream;
        this.weight = weight;
        this.task = task;
        this.then = then;
    }

    /** How many bytes it brings. */
    int weight() {
        return weight;
    }

    String stream() {
        return stream;
    }

    /** Lets the task decide; what it decides is told only by {@link #tell}. */
    void decide(Deciding deciding, Duration retryAfter) {
        try {
            Decided<R> decided = deciding.decide(stream, task);
            outcome = new Outcome.Written<>(decided.result(), decided.events());
        } catch (LedgerFailure e) {
            outcome = new Outcome.Unavailable<>(String.valueOf(e.getMessage()), retryAfter);
        } catch (Throwable e) { // A task must not take the writer down with it, whatever it throws.
            outcome = new Outcome.Failed<>(e);
        }
    }

    /** What was decided is durable. */
    void tell() {
        Outcome<R> decided = outcome;
        if (decided == null) {
            throw new IllegalStateException("told before it was decided");
        }
        tell(decided);
    }

    /** Tells the one who asked. Their mistakes are not the next one's. */
    void tell(Outcome<R> what) {
        try {
            then.accept(what);
        } catch (Throwable e) {
            LOG.error("What was to be done after writing to the ledger failed.", e);
        }
    }
}
