package dev.gavel.gateway.admission;

import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SyntaxVersion;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Applies a sender's rate limit and the admission policy to each envelope that enters the gateway. Thread-safe. */
public final class RateLimitedAdmission {
    private static final int SHORT_ENVELOPE_BYTES = 4096;
    private static final String TOO_FAST = "You send faster than you may; slow down.";

    private final AdmissionPolicy admissionPolicy;
    private final int rate;
    private final Map<String, SendRateLimiter> rateLimiters = new ConcurrentHashMap<>();

    /**
     * An entrance for everybody.
     *
     * @param rate envelopes a second of one identity
     */
    public RateLimitedAdmission(AdmissionPolicy admission, int rate) {
        this.admissionPolicy = admission;
        this.rate = rate;
    }

    /**
     * Judges what a member sent. The rate comes first, so that neither nonsense nor large envelopes cost more than their
     * share; over it, only what is short is read at all, to say which envelope the refusal is of.
     */
    public AdmissionResult admit(byte[] envelope, Member sender) {
        long wait = acquireNanos(sender.id());
        if (wait == 0) {
            return admissionPolicy.check(envelope, sender);
        }
        long retryAfterMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait));
        @Nullable
        AdmissionResult admissionResult =
                envelope.length > SHORT_ENVELOPE_BYTES ? null : admissionPolicy.check(envelope, sender);
        EnvelopeRefusal refusal = switch (admissionResult) {
            case AdmissionResult.Admitted(Envelope admitted) ->
                admitted.refuse(EnvelopeErrorCode.RATE_LIMITED, TOO_FAST);
            case AdmissionResult.Refused(EnvelopeRefusal other, long _) ->
                new EnvelopeRefusal(EnvelopeErrorCode.RATE_LIMITED, TOO_FAST, other.id(), null, other.syntax());
            case null ->
                new EnvelopeRefusal(EnvelopeErrorCode.RATE_LIMITED, TOO_FAST, null, null, SyntaxVersion.CURRENT);
        };
        return new AdmissionResult.Refused(refusal, retryAfterMillis);
    }

    /** Judges what comes from within this process, and is nobody's to slow down. */
    public AdmissionResult admitInternal(byte[] envelope, Member sender) {
        return admissionPolicy.check(envelope, sender);
    }

    /** Whether somebody may join now; coming and going counts like sending, since everybody hears of it. */
    public boolean mayJoin(String identity) {
        return acquireNanos(identity) == 0;
    }

    private long acquireNanos(String identity) {
        long now = System.nanoTime();
        return rateLimiters
                .computeIfAbsent(identity, id -> new SendRateLimiter(rate, now))
                .tryAcquire(now);
    }
}
