package dev.gavel.ledger.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded queue of tasks that wait for the ledger writer, taken in batches. Every accepted task is returned in a
 * batch or by {@link #drain}, even after closing. Thread-safe.
 */
final class WriterTaskQueue {
    private final WriterOptions options;
    private long bytes;
    private final Queue<SubmittedTask<?>> tasks = new ArrayDeque<>();
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
            boolean exceedsBytes = bytes > 0 && bytes + submittedTask.bytes() > options.maxQueuedBytes();
            if (!submittedTask.isEssential() && (tasks.size() >= options.maxQueuedTasks() || exceedsBytes)) {
                return OfferResult.FULL;
            }
            if (tasks.isEmpty()) {
                notEmptyOrClosed.signal();
            }
            tasks.add(submittedTask);
            bytes += submittedTask.bytes();
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
    List<SubmittedTask<?>> takeBatch(long timeoutNanos) {
        lock.lock();
        try {
            long remainingNanos = timeoutNanos;
            while (tasks.isEmpty() && !closed && remainingNanos > 0) {
                try {
                    remainingNanos = notEmptyOrClosed.awaitNanos(remainingNanos);
                } catch (InterruptedException e) {
                    // The writer's thread ends only when it is closed, so an interrupt is ignored.
                }
            }
            List<SubmittedTask<?>> batch = new ArrayList<>(Math.min(options.maxBatchTasks(), tasks.size()));
            long before = bytes;
            while (batch.size() < options.maxBatchTasks()
                    && before - bytes < options.maxBatchBytes()
                    && !tasks.isEmpty()) {
                SubmittedTask<?> next = tasks.remove();
                bytes -= next.bytes();
                batch.add(next);
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Removes all queued tasks; the caller reports to their submitters that they are rejected. */
    List<SubmittedTask<?>> drain() {
        lock.lock();
        try {
            List<SubmittedTask<?>> drained = List.copyOf(tasks);
            tasks.clear();
            bytes = 0;
            return drained;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the queue is closed and has no more tasks. */
    boolean isFinished() {
        lock.lock();
        try {
            return closed && tasks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return tasks.size();
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
