package dev.gavel.gateway.topic;

import java.util.List;

/** The result of a long poll: new envelopes, a revoked token, or a removed member. */
public sealed interface PollResult {
    /**
     * What happened, if anything did.
     *
     * @param envelopes their bytes
     * @param seq where to go on
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Envelopes(List<byte[]> envelopes, long seq) implements PollResult {
        public Envelopes {
            envelopes = List.copyOf(envelopes);
        }
    }

    /** The token of whoever asked is no longer good. */
    record Revoked() implements PollResult {}

    /** Whoever asked is no member any more. */
    record Removed() implements PollResult {}
}
