package dev.gavel.ledger.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The tasks that wait, in order, and no more than fit. What was let in comes out, even after closing. Thread-safe. */
final class Submissions {
    private final WriterOptions options;
    private long bytes;
    private final Queue<Submission<?>> waiting = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean closed;

    Submissions(WriterOptions options) {
        this.options = options;
    }

    /** Whether a submission was let in, or why not. */
    enum Entry {
        LET_IN,
        FULL,
        CLOSED
    }

    Entry offer(Submission<?> submission) {
        lock.lock();
        try {
            if (closed) {
                return Entry.CLOSED;
            }
            boolean tooMuch = bytes > 0 && bytes + submission.weight() > options.queueBytes();
            if (waiting.size() >= options.queue() || tooMuch) {
                return Entry.FULL;
            }
            if (waiting.isEmpty()) {
                changed.signal();
            }
            waiting.add(submission);
            bytes += submission.weight();
            return Entry.LET_IN;
        } finally {
            lock.unlock();
        }
    }

    /** The next batch, once there is something; nothing when there will never be any more. */
    List<Submission<?>> take() {
        return take(Long.MAX_VALUE);
    }

    /** As {@link #take()}, but nothing as well when nothing came for so long. */
    List<Submission<?>> take(long patienceNanos) {
        lock.lock();
        try {
            long left = patienceNanos;
            while (waiting.isEmpty() && !closed && left > 0) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    // Nobody interrupts the writer for a reason it should know: it ends when it is closed.
                }
            }
            List<Submission<?>> taken = new ArrayList<>(Math.min(options.batch(), waiting.size()));
            long before = bytes;
            while (taken.size() < options.batch() && before - bytes < options.batchBytes() && !waiting.isEmpty()) {
                Submission<?> next = waiting.remove();
                bytes -= next.weight();
                taken.add(next);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there will never be any more. */
    boolean over() {
        lock.lock();
        try {
            return closed && waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
