package dev.gavel.ledger.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded queue of tasks that wait for the ledger writer, taken in batches. Every accepted task is handed out, even
 * after closing. Thread-safe.
 */
final class WriterTaskQueue {
    private final WriterOptions options;
    private long bytes;
    private final Queue<SubmittedTask<?>> queued = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmptyOrClosed = lock.newCondition();
    private boolean closed;

    WriterTaskQueue(WriterOptions options) {
        this.options = options;
    }

    /** Whether a task was accepted, or why not. */
    enum OfferResult {
        ACCEPTED,
        FULL,
        CLOSED
    }

    OfferResult offer(SubmittedTask<?> submittedTask) {
        lock.lock();
        try {
            if (closed) {
                return OfferResult.CLOSED;
            }
            boolean tooMuch = bytes > 0 && bytes + submittedTask.weight() > options.maxQueuedBytes();
            if (queued.size() >= options.maxQueuedTasks() || tooMuch) {
                return OfferResult.FULL;
            }
            if (queued.isEmpty()) {
                notEmptyOrClosed.signal();
            }
            queued.add(submittedTask);
            bytes += submittedTask.weight();
            return OfferResult.ACCEPTED;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for tasks and returns the next batch; empty if the queue is closed and has no more tasks. */
    List<SubmittedTask<?>> takeBatch() {
        return takeBatch(Long.MAX_VALUE);
    }

    /** As {@link #takeBatch()}, but also returns an empty batch if no task arrives in time. */
    List<SubmittedTask<?>> takeBatch(long patienceNanos) {
        lock.lock();
        try {
            long left = patienceNanos;
            while (queued.isEmpty() && !closed && left > 0) {
                try {
                    left = notEmptyOrClosed.awaitNanos(left);
                } catch (InterruptedException e) {
                    // The writer's thread ends only when it is closed, so an interrupt is ignored.
                }
            }
            List<SubmittedTask<?>> taken = new ArrayList<>(Math.min(options.maxBatchTasks(), queued.size()));
            long before = bytes;
            while (taken.size() < options.maxBatchTasks()
                    && before - bytes < options.maxBatchBytes()
                    && !queued.isEmpty()) {
                SubmittedTask<?> next = queued.remove();
                bytes -= next.weight();
                taken.add(next);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Removes all queued tasks; the caller reports to their submitters that they are rejected. */
    List<SubmittedTask<?>> drain() {
        lock.lock();
        try {
            List<SubmittedTask<?>> abandoned = List.copyOf(queued);
            queued.clear();
            bytes = 0;
            return abandoned;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the queue is closed and has no more tasks. */
    boolean isFinished() {
        lock.lock();
        try {
            return closed && queued.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return queued.size();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            notEmptyOrClosed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
