package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that the bridge remembers whose calls were cancelled. */
final class CancelledRequestsTest {
    private static final Duration AGE = Duration.ofMinutes(10);

    private final CancelledRequests cancelled = new CancelledRequests();

    private static TopicRequest request(String member, String id) {
        return new TopicRequest(
                id,
                member,
                Kind.of("mcp.request.tools/call:x"),
                "1",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                100);
    }

    @Test
    void aCancelledRequestConcernsTheOtherMembers() {
        cancelled.add("1", request("bob", "b1"));
        assertThat(cancelled.hasRecentOfOthers("alice", AGE)).isTrue();
        assertThat(cancelled.hasRecentOfOthers("bob", AGE)).isFalse();
        assertThat(cancelled.remove("1")).contains(request("bob", "b1"));
        assertThat(cancelled.hasRecentOfOthers("alice", AGE)).isFalse();
    }

    @Test
    void aLateResponseToAnAnsweredRequestIsNotForwarded() {
        cancelled.addAnswered("1", "bob");
        assertThat(cancelled.hasRecentOfOthers("alice", AGE)).isTrue();
        assertThat(cancelled.remove("1")).isEmpty();
        assertThat(cancelled.hasRecentOfOthers("alice", AGE)).isFalse();
    }

    @Test
    void aMemberThatCancelsManyRequestsHidesNoneOfOthers() {
        cancelled.add("1", request("bob", "b1"));
        for (int i = 0; i < 1000; i++) {
            cancelled.add("c" + i, request("carol", "c" + i));
        }
        assertThat(cancelled.remove("1")).isEmpty();
        assertThat(cancelled.hasRecentOfOthers("carol", AGE)).isTrue();
        assertThat(cancelled.hasRecentOfOthers("carol", Duration.ZERO)).isFalse();
    }

    @Test
    void aRequestThatReusesAnIdHidesNoCancelledOne() {
        cancelled.add("1", request("bob", "b1"));
        assertThat(cancelled.evictIf(request("bob", "b1")::hasSameId)).containsExactly("1");
        assertThat(cancelled.hasRecentOfOthers("alice", AGE)).isTrue();
    }
}
