package dev.gavel.gateway;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The one way in: everything anybody sends, over whatever transport, is judged here, and counted against its sender's
 * rate. Thread-safe.
 */
final class Entrance {
    private final Admission admission;
    private final int rate;
    private final Map<String, RateLimit> rates = new ConcurrentHashMap<>();

    /**
     * An entrance for everybody.
     *
     * @param rate envelopes a second of one identity
     */
    Entrance(Admission admission, int rate) {
        this.admission = admission;
        this.rate = rate;
    }

    /** Refused envelopes count as well, so that a flood of nonsense is slowed like any other. */
    Verdict judge(byte[] envelope, Member sender) {
        Verdict verdict = admission.judge(envelope, sender);
        long now = System.nanoTime();
        long wait = rates.computeIfAbsent(sender.id(), id -> new RateLimit(rate, now))
                .take(now);
        if (wait == 0) {
            return verdict;
        }
        return switch (verdict) {
            case Verdict.Admit(Envelope admitted) ->
                new Verdict.Refuse(
                        admitted.refuse(ErrorCode.RATE_LIMITED, "You send faster than you may; slow down."),
                        Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)));
            case Verdict.Refuse refused -> refused;
        };
    }
}
