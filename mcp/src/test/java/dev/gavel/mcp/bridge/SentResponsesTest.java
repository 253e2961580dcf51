package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.mcp.bridge.SentResponses.SentResponse;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests which sent responses a bridge still knows. */
final class SentResponsesTest {
    private static final TopicRequest REQUEST = TopicRequest.of(
            (Envelope) new EnvelopeReader(EnvelopeLimits.DEFAULT).read("""
                    {"protocol":"mcpx/v0.1","id":"r-1","from":"alice","to":["files"],"kind":"mcp.request.tools/call:x",
                     "payload":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}}
                    """.getBytes(StandardCharsets.UTF_8)));

    private static SentResponse response(int length) {
        return new SentResponse(REQUEST, new byte[length], 1);
    }

    @Test
    void dropsLargeResponsesAfterAWhile() {
        SentResponses responses = new SentResponses(Duration.ofMillis(1));
        responses.add("small", response(100));
        responses.add("large", response(1_000_000));
        await().until(() -> !responses.contains("large"));
        assertThat(responses.contains("small")).isTrue();
    }

    @Test
    void dropsTheOldestResponsesAboveTheLimitOfBytes() {
        SentResponses responses = new SentResponses(Duration.ofMinutes(1));
        for (int i = 0; i < 70; i++) {
            responses.add("r-" + i, response(1024 * 1024));
        }
        assertThat(responses.contains("r-5")).isFalse();
        assertThat(responses.contains("r-6")).isTrue();
    }
}
