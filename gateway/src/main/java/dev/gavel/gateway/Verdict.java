package dev.gavel.gateway;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.SystemMessage.Failure;

/** What admission says of an envelope. */
public sealed interface Verdict {
    /** It may pass. */
    record Admit(Envelope envelope) implements Verdict {}

    /**
     * It goes nowhere but back to its sender, as an error.
     *
     * @param retryAfterMillis when to try again; zero where time alone will not help
     */
    record Refuse(Refusal refusal, long retryAfterMillis) implements Verdict {
        /** The error for its sender, who is told what they may send where it is that. */
        Failure failure(Member sender) {
            boolean violation = refusal.code() == ErrorCode.CAPABILITY_VIOLATION;
            Failure failure = Failure.of(refusal, violation ? sender.capabilities() : null);
            return retryAfterMillis == 0 ? failure : failure.retryAfter(retryAfterMillis);
        }
    }
}
