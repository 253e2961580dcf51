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
    public static boolean waitUntil(Duration timeout, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(5);
        }
        return true;
    }

    /** Waits until a condition holds; fails if it does not within the time limit. */
    public static void require(String what, Duration timeout, BooleanSupplier condition) throws InterruptedException {
        if (!waitUntil(timeout, condition)) {
            throw new RunFailedException("timed out after " + timeout.toSeconds() + " s, waiting for: " + what);
        }
    }

    public static <T> T require(String what, Duration timeout, CompletableFuture<T> future)
            throws InterruptedException {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new RunFailedException(
                    "timed out after " + timeout.toSeconds() + " s, waiting for: " + what + ": " + e, e);
        }
    }
}
