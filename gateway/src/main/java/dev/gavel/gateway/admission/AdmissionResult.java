package dev.gavel.gateway.admission;

import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SystemMessage.Failure;

/** The result of admission: the parsed envelope, or the refusal for its sender. */
public sealed interface AdmissionResult {
    /** It may pass. */
    record Admitted(Envelope envelope) implements AdmissionResult {}

    /**
     * It goes nowhere but back to its sender, as an error.
     *
     * @param retryAfterMillis when to try again; zero where time alone will not help
     */
    record Refused(EnvelopeRefusal refusal, long retryAfterMillis) implements AdmissionResult {
        /** The error for its sender, who is told what they may send where it is that. */
        public Failure toFailure(Member sender) {
            boolean violation = refusal.code() == EnvelopeErrorCode.CAPABILITY_VIOLATION;
            Failure failure = Failure.of(refusal, violation ? sender.capabilitySet() : null);
            return retryAfterMillis == 0 ? failure : failure.withRetryAfter(retryAfterMillis);
        }
    }
}
