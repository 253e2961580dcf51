package dev.gavel.gateway;

import java.util.List;

/** What came of a poll. */
public sealed interface Polled {
    /**
     * What happened, if anything did.
     *
     * @param envelopes their bytes
     * @param seq where to go on
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Brought(List<byte[]> envelopes, long seq) implements Polled {
        public Brought {
            envelopes = List.copyOf(envelopes);
        }
    }

    /** The token of whoever asked is no longer good. */
    record Revoked() implements Polled {}

    /** Whoever asked is no member any more. */
    record Removed() implements Polled {}
}
