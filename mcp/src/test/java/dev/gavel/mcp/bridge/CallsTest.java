package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CallsTest {
    private final Calls calls = new Calls();
    private final Asked asked =
            new Asked("e-1", "alice", Kind.of("mcp.request.tools/call"), "1", Optional.empty(), Optional.empty(), 10);

    @Test
    void whatIsTakenOutIsSpokenOfNoMore() {
        List<Asked> heard = new ArrayList<>();
        assertThat(calls.add("1", asked)).isTrue();
        calls.with("1", heard::add);
        assertThat(calls.take("1")).isEqualTo(asked);
        calls.with("1", heard::add);
        assertThat(heard).containsExactly(asked);
        assertThat(calls.take("1")).isNull();
    }

    @Test
    void aToolsOwnSpansLieBelowTheRunOfTheProposal() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        String params = "{\"_meta\":{\"traceparent\":\"00-" + trace + "-00f067aa0ba902b7-01\"}}";
        Asked fulfilment = new Asked("e-2", "alice", asked.kind(), "1", Optional.of(params), Optional.of("p-1"), 10);
        assertThat(fulfilment.traced(params, "ops"))
                .contains("00-" + trace + "-")
                .doesNotContain("00f067aa0ba902b7");
        assertThat(fulfilment.traced("{ \"a\":1.0 }", "ops")).isEqualTo("{ \"a\":1.0 }");
        assertThat(asked.traced(params, "ops")).isEqualTo(params);
    }

    @Test
    void silentCallsAreFoundSoThatTheyDoNotStayForEver() {
        assertThat(calls.add("1", asked)).isTrue();
        assertThat(calls.silentFor(Duration.ofHours(1))).isEmpty();
        assertThat(calls.silentFor(Duration.ZERO)).containsExactly("1");
    }
}
