package dev.gavel.gateway;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Refusal;

/** What admission says of an envelope. */
public sealed interface Verdict {
    /** It may pass. */
    record Admit(Envelope envelope) implements Verdict {}

    /**
     * It goes nowhere but back to its sender, as an error.
     *
     * @param retryAfterMillis when to try again; zero where time alone will not help
     */
    record Refuse(Refusal refusal, long retryAfterMillis) implements Verdict {}
}
