package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A bounded queue of received envelopes, which a separate thread passes one by one to a callback. Thread-safe. */
public final class InboundEnvelopeQueue {
    private static final int MAX_ENVELOPES = 10_000;
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private final String name;
    private final Consumer<byte[]> reader;
    private final Deque<byte[]> queue = new ArrayDeque<>();
    private long bytes;
    private boolean open;
    private boolean busy;

    /** Creates a queue that delivers nothing until {@link #open}. Its name is also that of the delivering thread. */
    public InboundEnvelopeQueue(String name, Consumer<byte[]> reader) {
        this.name = name;
        this.reader = reader;
    }

    /** Adds an envelope. Returns false if the queue is full. */
    public synchronized boolean offer(byte[] envelope) {
        if (queue.size() >= MAX_ENVELOPES || (bytes > 0 && bytes + envelope.length > MAX_BYTES)) {
            return false;
        }
        queue.add(envelope);
        bytes += envelope.length;
        startWorker();
        return true;
    }

    /** Starts delivery, beginning with the envelopes that are already queued. */
    public synchronized void open() {
        open = true;
        startWorker();
    }

    private void startWorker() {
        if (open && !busy && !queue.isEmpty()) {
            busy = true;
            Thread.ofVirtual().name(name).start(this::drain);
        }
    }

    private void drain() {
        for (byte[] next = next(); next != null; next = next()) {
            reader.accept(next);
        }
    }

    private synchronized byte @Nullable [] next() {
        byte[] next = queue.poll();
        busy = next != null;
        bytes -= next == null ? 0 : next.length;
        if (!busy) {
            notifyAll();
        }
        return next;
    }

    /** Waits until all queued envelopes are delivered, but no longer than the given time. */
    synchronized void awaitEmpty(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            for (long remainingMillis = timeout.toMillis();
                    busy && remainingMillis > 0;
                    remainingMillis = (end - System.nanoTime()) / 1_000_000) {
                wait(remainingMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
