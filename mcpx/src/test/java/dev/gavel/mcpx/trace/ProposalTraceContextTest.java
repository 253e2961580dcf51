package dev.gavel.mcpx.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.trace.ProposalTraceContext.SpanType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProposalTraceContextTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String PLAIN = "{\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":{}}}";

    private static ProposalTraceContext trace(String topic, String id, String payload) {
        return ProposalTraceContext.of(topic, id, RawPayload.of(payload.getBytes(UTF_8)));
    }

    private static String payload(String traceparent) {
        return "{\"params\":{\"arguments\":{\"_meta\":{\"traceparent\":\"no\"}},\"_meta\":{\"x\":[{}],\"traceparent\":"
                + traceparent + "},\"name\":\"a\"},\"method\":\"tools/call\"}";
    }

    /** Other programs derive the same ids, so they must never change. */
    @Test
    void idsFollowFromTopicAndProposal() {
        ProposalTraceContext trace = trace("ops", "p-1", PLAIN);

        assertThat(trace.traceId()).isEqualTo("a1091d6ee86af6c0a715aa3aad1ce046");
        assertThat(trace.spanId(SpanType.PROPOSAL)).isEqualTo("cbe23d32b2987b37");
        assertThat(trace.parent()).isEmpty();
        assertThat(trace.isSampled()).isTrue();
        assertThat(trace.traceParentFor(SpanType.RUN))
                .hasToString("00-a1091d6ee86af6c0a715aa3aad1ce046-" + trace.spanId(SpanType.RUN) + "-01");
    }

    @Test
    void noTwoProposalsAndNoTwoPartsShareAnId() {
        assertThat(trace("ops", "p-1", PLAIN).traceId())
                .isNotEqualTo(trace("ops", "p-2", PLAIN).traceId())
                .isNotEqualTo(trace("op", "sp-1", PLAIN).traceId());
        assertThat(Arrays.stream(SpanType.values()).map(trace("ops", "p-1", PLAIN)::spanId))
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("[0-9a-f]{16}"));
    }

    @Test
    void aProposalOfATraceBelongsToThatTrace() {
        ProposalTraceContext trace = trace("ops", "p-1", payload("\"" + PARENT + "\""));

        assertThat(trace.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(trace.parent()).map(TraceParent::spanId).hasValue("00f067aa0ba902b7");
        assertThat(trace.spanId(SpanType.DECIDE))
                .isEqualTo(trace("ops", "p-1", PLAIN).spanId(SpanType.DECIDE));
    }

    @Test
    void whoDoesNotWantATraceRecordedHasTheirWay() {
        ProposalTraceContext trace = trace("ops", "p-1", payload("\"" + PARENT.replace("-01", "-00") + "\""));

        assertThat(trace.isSampled()).isFalse();
        assertThat(trace.traceParentFor(SpanType.RUN).toString()).endsWith("-00");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "null",
                "{}",
                "\"\"",
                "\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7\"",
                "\"00-00000000000000000000000000000000-00f067aa0ba902b7-01\"",
                "\"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01\"",
                "\"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01\"",
                "\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more\"",
                "\"ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"",
            })
    void whatIsNoTraceparentIsPassedOver(String traceparent) {
        assertThat(trace("ops", "p-1", payload(traceparent))).isEqualTo(trace("ops", "p-1", PLAIN));
    }

    @Test
    void aLaterVersionMaySayMore() {
        assertThat(TraceParent.parse("01" + PARENT.substring(2) + "-more")).isEqualTo(TraceParent.parse(PARENT));
    }
}
