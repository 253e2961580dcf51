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

    private static TopicRequest request(String from, boolean approved, int length) {
        return new TopicRequest(
                "e-1",
                from,
                Kind.of("mcp.request.tools/call"),
                "1",
                Optional.empty(),
                approved ? Optional.of("p-1") : Optional.empty(),
                List.of(),
                length);
    }

    /** Adds requests of a member until one is refused; returns their number. */
    private int fill(String from, boolean approved, int length) {
        int count = 0;
        while (inFlightRequests.add(from + approved + count, request(from, approved, length))) {
            count++;
        }
        return count;
    }

    @Test
    void oneMemberLeavesPlacesForOthersAndForApprovedCalls() {
        assertThat(fill("agent", false, 10)).isEqualTo(InFlightRequests.MAX_REQUESTS / 2);
        assertThat(fill("bob", false, 10)).isEqualTo(InFlightRequests.MAX_REQUESTS / 4);
        assertThat(inFlightRequests.add("carol", request("carol", false, 10))).isTrue();
        assertThat(fill("alice", true, 10)).isEqualTo(InFlightRequests.MAX_REQUESTS);
        inFlightRequests.remove("bobfalse0");
        assertThat(inFlightRequests.add("bob", request("bob", false, 10))).isTrue();
        inFlightRequests.remove("alicetrue0");
        assertThat(fill("bob", true, 10)).isEqualTo(1);
    }

    @Test
    void longRequestsOfOneMemberLeaveSpaceToo() {
        int length = (int) (InFlightRequests.MAX_BYTES / 16);
        assertThat(fill("agent", false, length)).isEqualTo(8);
        assertThat(inFlightRequests.add("bob", request("bob", false, length))).isTrue();
        assertThat(inFlightRequests.add("alice", request("alice", true, length)))
                .isTrue();
    }

    @Test
    void oneRequestThatIsLongerThanTheLimitIsAccepted() {
        assertThat(inFlightRequests.add("1", request("agent", false, Integer.MAX_VALUE)))
                .isTrue();
        assertThat(inFlightRequests.add("2", request("bob", false, 10))).isFalse();
    }
}
