package dev.gavel.ledger;

import java.time.Duration;

/** Starts a named daemon thread for one task, and lets the caller wait until the task ends. Thread-safe. */
public final class BackgroundThread {
    private final Thread thread;

    private BackgroundThread(Thread thread) {
        this.thread = thread;
    }

    /** Starts the task on a daemon thread, which does not keep the process alive. */
    public static BackgroundThread start(String name, Runnable task) {
        return new BackgroundThread(Thread.ofPlatform().daemon().name(name).start(task));
    }

    /**
     * Whether the task ends within the given time. Returns false if the caller is interrupted before; its interrupt
     * flag stays set.
     */
    public boolean joinWithin(Duration timeout) {
        try {
            return thread.join(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits until the task ends. An interrupt does not end the wait; the interrupt flag is set again afterwards. */
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
