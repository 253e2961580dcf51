package dev.gavel.ledger.writer;

/**
 * A function that the ledger writer runs on its own thread, against the stream's current state, to decide which events
 * to append. All other tasks wait for it, so it must be quick. The writer may run it again if the first attempt to
 * commit fails, so it must have no side effects that a repetition would harm. An exception fails this task alone.
 *
 * @param <R> the type of the result for the submitter
 */
@FunctionalInterface
public interface WriterTask<R> {
    /** Decides, based on the state that the context returns. */
    TaskDecision<R> decide(WriterTaskContext writerTaskContext);
}
