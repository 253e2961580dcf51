package dev.gavel.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Delivers items to a user's callback one at a time on a virtual thread, from a bounded queue. The caller that offers
 * an item never waits. Thread-safe.
 */
final class CallbackQueue<T> {
    private static final System.Logger log = System.getLogger("dev.gavel.client");

    private final Executor executor;
    private final Consumer<? super T> callback;
    private final int maxItems;
    private final ToIntFunction<? super T> sizeOf;
    private final int maxTotalSize;
    private final Queue<T> queued = new ArrayDeque<>();
    private int totalSize;
    private boolean running;

    /** Creates a queue of at most {@code itemLimit} items. */
    CallbackQueue(Executor executor, Consumer<? super T> callback, int itemLimit) {
        this(executor, callback, itemLimit, item -> 0, 0);
    }

    /** Creates a queue of at most {@code itemLimit} items with a total size of at most {@code sizeLimit}. */
    CallbackQueue(
            Executor executor,
            Consumer<? super T> callback,
            int itemLimit,
            ToIntFunction<? super T> size,
            int sizeLimit) {
        this.executor = executor;
        this.callback = callback;
        this.maxItems = itemLimit;
        this.sizeOf = size;
        this.maxTotalSize = sizeLimit;
    }

    /** Adds an item; returns false if the queue is full. */
    synchronized boolean offer(T item) {
        if (queued.size() >= maxItems || (totalSize > 0 && totalSize + sizeOf.applyAsInt(item) > maxTotalSize)) {
            return false;
        }
        put(item);
        return true;
    }

    /** Adds an item in place of all queued ones. */
    synchronized void replace(T item) {
        queued.clear();
        totalSize = 0;
        put(item);
    }

    private void put(T item) {
        queued.add(item);
        totalSize += sizeOf.applyAsInt(item);
        if (!running) {
            running = true;
            executor.execute(this::run);
        }
    }

    private void run() {
        for (T next = next(); next != null; next = next()) {
            try {
                callback.accept(next);
            } catch (Throwable e) {
                // Errors are caught too: they belong to the callback, which still gets the next item.
                log.log(System.Logger.Level.WARNING, "A callback failed.", e);
            }
        }
    }

    private synchronized @Nullable T next() {
        T next = queued.poll();
        running = next != null;
        totalSize -= next == null ? 0 : sizeOf.applyAsInt(next);
        return next;
    }
}
