package dev.gavel.gateway.admission;

import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SystemMessage.Failure;

/** The result of checking an envelope that a member sends: the parsed envelope, or the refusal for its sender. */
public sealed interface AdmissionResult {
    /** The envelope may enter the topic. */
    record Admitted(Envelope envelope) implements AdmissionResult {}

    /**
     * The envelope is refused and an error is returned to its sender.
     *
     * @param retryAfterMillis the delay after which to try again; zero if waiting does not help
     */
    record Refused(EnvelopeRefusal refusal, long retryAfterMillis) implements AdmissionResult {
        /** Returns the error for the sender. After a capability violation it lists what the sender may send. */
        public Failure toFailure(Member sender) {
            boolean violation = refusal.code() == EnvelopeErrorCode.CAPABILITY_VIOLATION;
            Failure failure = Failure.of(refusal, violation ? sender.capabilitySet() : null);
            return retryAfterMillis == 0 ? failure : failure.withRetryAfter(retryAfterMillis);
        }
    }
}
