package dev.gavel.gateway.admission;

import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Applies a sender's rate limit and the admission policy to each envelope that enters the gateway. Thread-safe. */
public final class RateLimitedAdmission {
    private static final int SHORT_ENVELOPE_BYTES = 4096;
    private static final String TOO_FAST = "You are sending too many envelopes. Slow down.";

    private final AdmissionPolicy admissionPolicy;
    private final int envelopesPerSecond;
    private final Map<String, SendRateLimiter> rateLimiters = new ConcurrentHashMap<>();

    /**
     * Creates the admission for all senders of the gateway.
     *
     * @param rate envelopes per second that one identity may send
     */
    public RateLimitedAdmission(AdmissionPolicy admissionPolicy, int rate) {
        this.admissionPolicy = admissionPolicy;
        this.envelopesPerSecond = rate;
    }

    /**
     * Checks an envelope that a member sent. The rate limit is applied first, so that malformed or large envelopes cost
     * no more than their share. Over the limit only a short envelope is parsed, so that the refusal can contain its id.
     */
    public AdmissionResult admit(byte[] envelope, Member sender) {
        long waitNanos = acquireOrWaitNanos(sender.id());
        if (waitNanos == 0) {
            return admissionPolicy.check(envelope, sender);
        }
        long retryAfterMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNanos));
        @Nullable
        AdmissionResult admissionResult =
                envelope.length > SHORT_ENVELOPE_BYTES ? null : admissionPolicy.check(envelope, sender);
        EnvelopeRefusal refusal = switch (admissionResult) {
            case AdmissionResult.Admitted(Envelope admitted) ->
                admitted.refuse(EnvelopeErrorCode.RATE_LIMITED, TOO_FAST);
            case AdmissionResult.Refused(EnvelopeRefusal other, long _) ->
                new EnvelopeRefusal(EnvelopeErrorCode.RATE_LIMITED, TOO_FAST, other.id(), null, other.syntax());
            case null ->
                new EnvelopeRefusal(EnvelopeErrorCode.RATE_LIMITED, TOO_FAST, null, null, EnvelopeSyntax.CURRENT);
        };
        return new AdmissionResult.Refused(refusal, retryAfterMillis);
    }

    /** Checks an envelope from within this process, to which no rate limit applies. */
    public AdmissionResult admitInternal(byte[] envelope, Member sender) {
        return admissionPolicy.check(envelope, sender);
    }

    /**
     * Counts one request, such as a connect or a read, against an identity's rate limit. Returns false if the limit is
     * reached.
     */
    public boolean tryAcquireRequest(String identity) {
        return acquireOrWaitNanos(identity) == 0;
    }

    private long acquireOrWaitNanos(String identity) {
        long now = System.nanoTime();
        return rateLimiters
                .computeIfAbsent(identity, id -> new SendRateLimiter(envelopesPerSecond, now))
                .tryAcquire(now);
    }
}
