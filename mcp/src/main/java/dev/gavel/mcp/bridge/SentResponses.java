package dev.gavel.mcp.bridge;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A bounded table of the responses that a bridge has sent last, by envelope id: the gateway reports a refused envelope
 * after it was sent. A gateway that refuses an envelope does so within seconds, so large responses are dropped after
 * that. Thread-safe.
 */
final class SentResponses {
    private static final int MAX_RESPONSES = 256;
    private static final long MAX_BYTES = 64L * 1024 * 1024;
    private static final int LARGE_BYTES = 64 * 1024;
    private static final Duration LARGE_RETENTION = Duration.ofSeconds(30);

    private final Duration largeRetention;
    private final Map<String, SentResponse> responses = new LinkedHashMap<>();
    private long bytes;

    SentResponses() {
        this(LARGE_RETENTION);
    }

    /** Creates a table that drops large responses after this time. */
    SentResponses(Duration largeRetention) {
        this.largeRetention = largeRetention;
    }

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
        if (response.envelope().length > LARGE_BYTES) {
            CompletableFuture.delayedExecutor(largeRetention.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> drop(envelopeId, response));
        }
    }

    synchronized boolean contains(String envelopeId) {
        return responses.containsKey(envelopeId);
    }

    /** Drops a response, unless it was replaced by another attempt to send it. */
    private synchronized void drop(String envelopeId, SentResponse response) {
        if (responses.remove(envelopeId, response)) {
            bytes -= response.envelope().length;
        }
    }

    /** Removes and returns a response, if it is still known. */
    synchronized Optional<SentResponse> remove(String envelopeId) {
        Optional<SentResponse> removed = Optional.ofNullable(responses.remove(envelopeId));
        removed.ifPresent(response -> bytes -= response.envelope().length);
        return removed;
    }
}
