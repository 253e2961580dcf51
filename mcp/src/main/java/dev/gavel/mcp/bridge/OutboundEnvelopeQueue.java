package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of a bridge's envelopes to the gateway, sent by a separate thread; as the queue fills, it refuses
 * notifications first. Thread-safe.
 */
final class OutboundEnvelopeQueue implements AutoCloseable {
    static final int MAX_NOTIFICATIONS = 256;
    private static final int MAX_ENVELOPES = 4096;
    static final long MAX_BYTES = 64L * 1024 * 1024;

    /** An envelope up to this length has room even if long ones fill the queue: it may be the error for one of them. */
    private static final int SMALL_ENVELOPE_BYTES = 8 * 1024;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final Consumer<QueuedEnvelope> sender;
    private final Thread thread;
    private final Deque<QueuedEnvelope> queue = new ArrayDeque<>();
    private long bytes;
    private boolean busy;
    private boolean closed;

    /** An envelope with the callback for the case that it is not delivered. */
    static final class QueuedEnvelope {
        private final byte[] envelope;
        private final TopicConnector.DeliveryMode deliveryMode;
        private final Consumer<String> failureCallback;

        QueuedEnvelope(byte[] envelope, TopicConnector.DeliveryMode deliveryMode, Consumer<String> failureCallback) {
            this.envelope = envelope;
            this.deliveryMode = deliveryMode;
            this.failureCallback = failureCallback;
        }

        byte[] envelope() {
            return envelope;
        }

        TopicConnector.DeliveryMode deliveryMode() {
            return deliveryMode;
        }

        Consumer<String> failureCallback() {
            return failureCallback;
        }
    }

    /** Starts the sending thread. The sender may block until it is interrupted. */
    OutboundEnvelopeQueue(String name, Consumer<QueuedEnvelope> sender) {
        this.sender = sender;
        this.thread = Thread.ofVirtual().name(name).start(this::drain);
    }

    /** Adds an envelope without blocking. Returns false if the queue is full or closed. */
    synchronized boolean offer(QueuedEnvelope queuedEnvelope) {
        int limit = queuedEnvelope.deliveryMode() == TopicConnector.DeliveryMode.BEST_EFFORT
                ? MAX_NOTIFICATIONS
                : MAX_ENVELOPES;
        if (closed || queue.size() >= limit || !hasRoomFor(queuedEnvelope.envelope().length)) {
            return false;
        }
        queue.add(queuedEnvelope);
        bytes += queuedEnvelope.envelope().length;
        notifyAll();
        return true;
    }

    private boolean hasRoomFor(int length) {
        return bytes == 0 || length <= SMALL_ENVELOPE_BYTES || bytes + length <= MAX_BYTES;
    }

    private void drain() {
        try {
            for (QueuedEnvelope next = next(); next != null; next = next()) {
                sender.accept(next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            markIdle();
        }
    }

    private synchronized @Nullable QueuedEnvelope next() throws InterruptedException {
        busy = false;
        notifyAll();
        while (queue.isEmpty() && !closed) {
            wait();
        }
        QueuedEnvelope next = queue.poll();
        busy = next != null;
        bytes -= next == null ? 0 : next.envelope().length;
        return next;
    }

    private synchronized void markIdle() {
        busy = false;
        notifyAll();
    }

    /** Sends the queued envelopes for up to {@link #CLOSE_TIMEOUT} and discards the rest. */
    @Override
    public void close() {
        long end = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        synchronized (this) {
            closed = true;
            notifyAll();
            try {
                for (long remainingNanos = CLOSE_TIMEOUT.toNanos();
                        remainingNanos > 0 && (busy || !queue.isEmpty());
                        remainingNanos = end - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(this, remainingNanos);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            queue.clear();
            bytes = 0;
        }
        thread.interrupt();
    }
}
