package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.transport.BusDisconnectReason;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts messages and connections on the bus between gateway processes, and logs a warning about unreadable messages.
 * Thread-safe.
 */
final class BusCounters {
    private static final Logger log = LoggerFactory.getLogger(BusCounters.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder connects = new LongAdder();
    private final LongAdder overruns = new LongAdder();
    private final AtomicLong lastWarningNanos = new AtomicLong(System.nanoTime() - QUIET_NANOS);

    void countSent(BusSendResult outcome) {
        (outcome == BusSendResult.SENT ? sent : refused).increment();
    }

    void countReceived() {
        received.increment();
    }

    void countConnect() {
        connects.increment();
    }

    void countDisconnect(BusDisconnectReason busDisconnectReason) {
        if (busDisconnectReason == BusDisconnectReason.OVERRUN) {
            overruns.increment();
        }
    }

    /** Counts an unreadable message. Logs at most once a minute. */
    void countMalformed(String channel, String problem) {
        malformed.increment();
        long last = lastWarningNanos.get();
        long now = System.nanoTime();
        if (now - last >= QUIET_NANOS && lastWarningNanos.compareAndSet(last, now)) {
            log.warn(
                    "A message on the bus ({}) cannot be read and was ignored: {}. Ignored so far: {}. Either processes"
                            + " of different versions share a prefix, or another program publishes there.",
                    channel,
                    problem,
                    malformed.sum());
        }
    }

    BusMetricsSnapshot snapshot(boolean available, int processes) {
        return new BusMetricsSnapshot(
                available,
                sent.sum(),
                received.sum(),
                refused.sum(),
                malformed.sum(),
                connects.sum(),
                overruns.sum(),
                processes);
    }
}
