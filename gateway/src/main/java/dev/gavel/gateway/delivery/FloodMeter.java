package dev.gavel.gateway.delivery;

import java.util.concurrent.TimeUnit;

/**
 * Counts the useless messages of a connection, such as refused envelopes and control frames, and detects when the
 * connection floods the gateway and must be closed. A connection may send {@value #BURST} of them at once, and then
 * {@value #PER_SECOND} per second. Not thread-safe.
 */
public final class FloodMeter {
    static final int BURST = 10_000;
    static final int PER_SECOND = 100;

    private static final long NANOS_EACH = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

    /** The time at which everything counted so far is forgiven; meaningless before the first count. */
    private long forgivenAt;

    private boolean started;

    /** Counts one useless message. Returns whether the connection floods the gateway. */
    public boolean countAndCheck() {
        return countAndCheck(System.nanoTime());
    }

    boolean countAndCheck(long now) {
        if (!started || forgivenAt - now < 0) {
            started = true;
            forgivenAt = now;
        }
        forgivenAt += NANOS_EACH;
        return forgivenAt - now > BURST * NANOS_EACH;
    }
}
