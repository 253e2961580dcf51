package dev.gavel.ledger.writer;

/**
 * A decision that the ledger writer runs on its thread, in ledger order, against the current state of a stream. It runs
 * on the writer's thread, so it must be quick; it may be run again where the first run came to nothing, so it must have
 * no effect but its answer. An exception fails this task alone.
 *
 * @param <R> what it comes to, for whoever asked
 */
@FunctionalInterface
public interface WriterTask<R> {
    /** Decides by what the view shows. */
    TaskDecision<R> decide(WriterTaskContext writerTaskContext);
}
