package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class InFlightRequestsTest {
    private final InFlightRequests inFlightRequests = new InFlightRequests();
    private final TopicRequest topicRequest = new TopicRequest(
            "e-1", "alice", Kind.of("mcp.request.tools/call"), "1", Optional.empty(), Optional.empty(), List.of(), 10);

    @Test
    void removedRequestIsNotOpen() {
        List<TopicRequest> received = new ArrayList<>();
        assertThat(inFlightRequests.add("1", topicRequest)).isTrue();
        inFlightRequests.ifOpen("1", received::add);
        assertThat(inFlightRequests.remove("1")).isEqualTo(topicRequest);
        inFlightRequests.ifOpen("1", received::add);
        assertThat(received).containsExactly(topicRequest);
        assertThat(inFlightRequests.remove("1")).isNull();
    }

    @Test
    void traceParentIsRunOfProposal() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        String params = "{\"_meta\":{\"traceparent\":\"00-" + trace + "-00f067aa0ba902b7-01\"}}";
        TopicRequest fulfilment = new TopicRequest(
                "e-2", "alice", topicRequest.kind(), "1", Optional.of(params), Optional.of("p-1"), List.of(), 10);
        assertThat(fulfilment.withTraceParent(params, "ops"))
                .contains("00-" + trace + "-")
                .doesNotContain("00f067aa0ba902b7");
        assertThat(fulfilment.withTraceParent("{ \"a\":1.0 }", "ops")).isEqualTo("{ \"a\":1.0 }");
        assertThat(topicRequest.withTraceParent(params, "ops")).isEqualTo(params);
    }

    @Test
    void findsIdleRequests() {
        assertThat(inFlightRequests.add("1", topicRequest)).isTrue();
        assertThat(inFlightRequests.idleFor(Duration.ofHours(1))).isEmpty();
        assertThat(inFlightRequests.idleFor(Duration.ZERO)).containsExactly("1");
    }
}
