package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.wire.Loss;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what happens on the bus, and says in the log what nobody else would notice. Thread-safe. */
final class BusCounts {
    private static final Logger log = LoggerFactory.getLogger(BusCounts.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unreadable = new LongAdder();
    private final LongAdder connected = new LongAdder();
    private final LongAdder overruns = new LongAdder();
    private final AtomicLong complained = new AtomicLong(System.nanoTime() - QUIET_NANOS);

    void sent(Sent outcome) {
        (outcome == Sent.SENT ? sent : refused).increment();
    }

    void received() {
        received.increment();
    }

    void up() {
        connected.increment();
    }

    void down(Loss loss) {
        if (loss == Loss.OVERRUN) {
            overruns.increment();
        }
    }

    /** Once a minute is enough to say so. */
    void unreadable(String channel, String problem) {
        unreadable.increment();
        long last = complained.get();
        long now = System.nanoTime();
        if (now - last >= QUIET_NANOS && complained.compareAndSet(last, now)) {
            log.warn(
                    "a message on the bus ({}) was ignored since it cannot be read: {}; {} so far. Either processes of"
                            + " different versions share a prefix, or somebody else publishes there",
                    channel,
                    problem,
                    unreadable.sum());
        }
    }

    BusMeasures measures(boolean available, int processes) {
        return new BusMeasures(
                available,
                sent.sum(),
                received.sum(),
                refused.sum(),
                unreadable.sum(),
                connected.sum(),
                overruns.sum(),
                processes);
    }
}
