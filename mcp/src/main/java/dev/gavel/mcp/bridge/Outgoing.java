package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be sent, on a thread of its own, because sending waits while the gateway is away. Bounded: notices are the
 * first for which there is no room. Thread-safe.
 */
final class Outgoing implements AutoCloseable {
    static final int MOST_NOTICES = 256;
    private static final int MOST = 4096;
    private static final long MOST_BYTES = 64L * 1024 * 1024;
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final Consumer<Letter> sender;
    private final Thread thread;
    private final Deque<Letter> waiting = new ArrayDeque<>();
    private long bytes;
    private boolean busy;
    private boolean closed;

    /** One envelope, with who is told where it did not arrive. */
    static final class Letter {
        private final byte[] envelope;
        private final Venue.Worth worth;
        private final Consumer<String> failed;

        Letter(byte[] envelope, Venue.Worth worth, Consumer<String> failed) {
            this.envelope = envelope;
            this.worth = worth;
            this.failed = failed;
        }

        byte[] envelope() {
            return envelope;
        }

        Venue.Worth worth() {
            return worth;
        }

        Consumer<String> failed() {
            return failed;
        }
    }

    /** Begins. What it sends with may wait, until it is interrupted. */
    Outgoing(String name, Consumer<Letter> sender) {
        this.sender = sender;
        this.thread = Thread.ofVirtual().name(name).start(this::run);
    }

    /** Takes a letter and does not wait; false where there is no room. */
    synchronized boolean offer(Letter letter) {
        int most = letter.worth() == Venue.Worth.NOTICE ? MOST_NOTICES : MOST;
        if (closed || waiting.size() >= most || (bytes > 0 && bytes + letter.envelope().length > MOST_BYTES)) {
            return false;
        }
        waiting.add(letter);
        bytes += letter.envelope().length;
        notifyAll();
        return true;
    }

    private void run() {
        try {
            for (Letter next = next(); next != null; next = next()) {
                sender.accept(next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            idle();
        }
    }

    private synchronized @Nullable Letter next() throws InterruptedException {
        busy = false;
        notifyAll();
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        Letter next = waiting.poll();
        busy = next != null;
        bytes -= next == null ? 0 : next.envelope().length;
        return next;
    }

    private synchronized void idle() {
        busy = false;
        notifyAll();
    }

    /** Sends what waits as far as that takes a moment only; the rest is given up. */
    @Override
    public void close() {
        long end = System.nanoTime() + FAREWELL.toNanos();
        synchronized (this) {
            closed = true;
            notifyAll();
            try {
                for (long left = FAREWELL.toNanos();
                        left > 0 && (busy || !waiting.isEmpty());
                        left = end - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            waiting.clear();
            bytes = 0;
        }
        thread.interrupt();
    }
}
