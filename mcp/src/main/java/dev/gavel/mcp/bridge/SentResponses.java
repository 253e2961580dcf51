package dev.gavel.mcp.bridge;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A bounded table of the responses that a bridge has sent last, by envelope id: the gateway reports a refused envelope
 * after it was sent. Thread-safe.
 */
final class SentResponses {
    private static final int MAX_RESPONSES = 256;
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private final Map<String, SentResponse> responses = new LinkedHashMap<>();
    private long bytes;

    /** A response that was sent. Immutable. */
    static final class SentResponse {
        private final TopicRequest request;
        private final byte[] envelope;
        private final int attempts;

        /**
         * Creates a response.
         *
         * @param attempts how often it was sent
         */
        SentResponse(TopicRequest request, byte[] envelope, int attempts) {
            this.request = request;
            this.envelope = envelope;
            this.attempts = attempts;
        }

        TopicRequest request() {
            return request;
        }

        byte[] envelope() {
            return envelope;
        }

        int attempts() {
            return attempts;
        }

        SentResponse sentAgain() {
            return new SentResponse(request, envelope, attempts + 1);
        }
    }

    /** Adds a response, and drops the oldest ones if there is no room. */
    synchronized void add(String envelopeId, SentResponse response) {
        remove(envelopeId);
        responses.put(envelopeId, response);
        bytes += response.envelope().length;
        Iterator<SentResponse> oldest = responses.values().iterator();
        while (responses.size() > MAX_RESPONSES || (bytes > MAX_BYTES && responses.size() > 1)) {
            bytes -= oldest.next().envelope().length;
            oldest.remove();
        }
    }

    /** Removes and returns a response, if it is still known. */
    synchronized Optional<SentResponse> remove(String envelopeId) {
        Optional<SentResponse> removed = Optional.ofNullable(responses.remove(envelopeId));
        removed.ifPresent(response -> bytes -= response.envelope().length);
        return removed;
    }
}
