package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A bounded queue that passes received envelopes one by one to a reader on its own thread. Thread-safe. */
public final class InboundEnvelopeQueue {
    private static final int MAX_ENVELOPES = 10_000;
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private final String name;
    private final Consumer<byte[]> reader;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
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
        if (waiting.size() >= MAX_ENVELOPES || (bytes > 0 && bytes + envelope.length > MAX_BYTES)) {
            return false;
        }
        waiting.add(envelope);
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
        if (open && !busy && !waiting.isEmpty()) {
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
        byte[] next = waiting.poll();
        busy = next != null;
        bytes -= next == null ? 0 : next.length;
        if (!busy) {
            notifyAll();
        }
        return next;
    }

    /** Waits until all queued envelopes are delivered, but no longer than the given time. */
    synchronized void awaitEmpty(Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        try {
            for (long left = longest.toMillis(); busy && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
