package dev.gavel.gateway.topic;

import java.util.List;

/** The result of a long poll: new envelopes, a revoked token, or a removed member. */
public sealed interface LongPollResult {
    /**
     * The new messages; may be empty.
     *
     * @param envelopes the encoded envelopes
     * @param seq the seq from which to continue
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Envelopes(List<byte[]> envelopes, long seq) implements LongPollResult {
        public Envelopes {
            envelopes = List.copyOf(envelopes);
        }
    }

    /** The token used for the poll has been revoked. */
    record Revoked() implements LongPollResult {}

    /** The polling member was removed from the topic. */
    record Removed() implements LongPollResult {}
}
