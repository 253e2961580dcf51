package dev.gavel.ledger;

import java.time.Duration;

/** Starts a named daemon thread for one task, and lets the caller wait until the task ends. Thread-safe. */
public final class BackgroundThread {
    private final Thread thread;

    private BackgroundThread(Thread thread) {
        this.thread = thread;
    }

    /** Begins some work; it keeps no process from ending. */
    public static BackgroundThread start(String name, Runnable work) {
        return new BackgroundThread(Thread.ofPlatform().daemon().name(name).start(work));
    }

    /** Whether the work ended within a time, and before whoever waits was interrupted. */
    public boolean joinWithin(Duration patience) {
        try {
            return thread.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits for the end, interrupted or not. */
    public void joinUninterruptibly() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
