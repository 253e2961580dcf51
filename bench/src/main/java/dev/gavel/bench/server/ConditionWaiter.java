package dev.gavel.bench.server;

import dev.gavel.bench.load.RunFailedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waits with a time limit until a condition holds or a future completes. Stateless. */
public final class ConditionWaiter {
    private ConditionWaiter() {}

    /** Waits until a condition holds, within a time limit; returns whether it does. */
    public static boolean waitUntil(Duration longest, BooleanSupplier so) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (!so.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(5);
        }
        return true;
    }

    /** Waits until a condition holds; fails if it does not within the time limit. */
    public static void require(String what, Duration longest, BooleanSupplier so) throws InterruptedException {
        if (!waitUntil(longest, so)) {
            throw new RunFailedException("within " + longest.toSeconds() + " s it did not happen that " + what);
        }
    }

    public static <T> T require(String what, Duration longest, CompletableFuture<T> future)
            throws InterruptedException {
        try {
            return future.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new RunFailedException("within " + longest.toSeconds() + " s there was no " + what + ": " + e, e);
        }
    }
}
