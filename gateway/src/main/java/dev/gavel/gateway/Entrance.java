package dev.gavel.gateway;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.Spelling;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one way in: everything anybody sends, over whatever transport, is judged here, and counted against its sender's
 * rate. Thread-safe.
 */
final class Entrance {
    private static final int SHORT = 4096;
    private static final String TOO_FAST = "You send faster than you may; slow down.";

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

    /**
     * Judges what a member sent. The rate comes first, so that neither nonsense nor large envelopes cost more than their
     * share; over it, only what is short is read at all, to say which envelope the refusal is of.
     */
    Verdict judge(byte[] envelope, Member sender) {
        long wait = wait(sender.id());
        if (wait == 0) {
            return admission.judge(envelope, sender);
        }
        long retryAfterMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait));
        @Nullable Verdict verdict = envelope.length > SHORT ? null : admission.judge(envelope, sender);
        Refusal refusal = switch (verdict) {
            case Verdict.Admit(Envelope admitted) -> admitted.refuse(ErrorCode.RATE_LIMITED, TOO_FAST);
            case Verdict.Refuse(Refusal other, long _) ->
                new Refusal(ErrorCode.RATE_LIMITED, TOO_FAST, other.id(), null, other.spelling());
            case null -> new Refusal(ErrorCode.RATE_LIMITED, TOO_FAST, null, null, Spelling.CURRENT);
        };
        return new Verdict.Refuse(refusal, retryAfterMillis);
    }

    /** Judges what comes from within this process, and is nobody's to slow down. */
    Verdict judgeOurs(byte[] envelope, Member sender) {
        return admission.judge(envelope, sender);
    }

    /** Whether somebody may join now; coming and going counts like sending, since everybody hears of it. */
    boolean mayJoin(String identity) {
        return wait(identity) == 0;
    }

    private long wait(String identity) {
        long now = System.nanoTime();
        return rates.computeIfAbsent(identity, id -> new RateLimit(rate, now)).take(now);
    }
}
