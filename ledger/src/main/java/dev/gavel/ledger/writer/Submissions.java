package dev.gavel.ledger.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The tasks that wait, in order, and no more than fit. What was let in comes out, even after closing. Thread-safe. */
final class Submissions {
    private final int capacity;
    private final Queue<Submission<?>> waiting = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean closed;

    Submissions(int capacity) {
        this.capacity = capacity;
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
            if (waiting.size() >= capacity) {
                return Entry.FULL;
            }
            if (waiting.isEmpty()) {
                changed.signal();
            }
            waiting.add(submission);
            return Entry.LET_IN;
        } finally {
            lock.unlock();
        }
    }

    /** The next submissions, at most so many, once there is one; none when there will never be any more. */
    List<Submission<?>> take(int most) {
        return take(most, Long.MAX_VALUE);
    }

    /** As {@link #take(int)}, but none as well when none came for so long. */
    List<Submission<?>> take(int most, long patienceNanos) {
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
            List<Submission<?>> taken = new ArrayList<>(Math.min(most, waiting.size()));
            while (taken.size() < most && !waiting.isEmpty()) {
                taken.add(waiting.remove());
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
