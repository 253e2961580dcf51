package dev.gavel.ledger;

import java.time.Duration;

/** A thread that works in the background until its work ends. Thread-safe. */
public final class Worker {
    private final Thread thread;

    private Worker(Thread thread) {
        this.thread = thread;
    }

    /** Begins some work; it keeps no process from ending. */
    public static Worker start(String name, Runnable work) {
        return new Worker(Thread.ofPlatform().daemon().name(name).start(work));
    }

    /** Whether the work ended within a time, and before whoever waits was interrupted. */
    public boolean endsWithin(Duration patience) {
        try {
            return thread.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits for the end, interrupted or not. */
    public void awaitEnd() {
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
