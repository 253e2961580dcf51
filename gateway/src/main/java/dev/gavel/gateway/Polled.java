package dev.gavel.gateway;

import java.util.List;

/**
 * What a poll brought.
 *
 * @param envelopes their bytes
 * @param seq where to go on
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Polled(List<byte[]> envelopes, long seq) {
    public Polled {
        envelopes = List.copyOf(envelopes);
    }
}
