package dev.gavel.app.proposal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.PrometheusPage;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.trace.ProposalTraceContext;
import dev.gavel.mcpx.trace.ProposalTraceContext.SpanType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests the spans of real proposals as a collector receives them. */
class TracesTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";

    @TempDir
    private Path data;

    private TestOtlpCollector collector;
    private TestTopic testTopic;

    @BeforeEach
    void open() throws IOException {
        collector = new TestOtlpCollector();
        testTopic = TestTopic.withTraces(data, collector.address());
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
        collector.close();
    }

    private List<JsonNode> spans(int count) {
        await().until(() -> collector.spans().size() >= count);
        return collector.spans();
    }

    private static JsonNode named(List<JsonNode> spans, String name) {
        return spans.stream()
                .filter(span -> span.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span '" + name + "' in " + spans));
    }

    private static String attribute(JsonNode span, String key) {
        for (JsonNode each : span.path("attributes")) {
            if (each.path("key").asString().equals(key)) {
                return each.path("value").path("stringValue").asString();
            }
        }
        return "";
    }

    private static TestEnvelope withTraceParent(String id, String flags) {
        TestEnvelope testEnvelope = TestEnvelope.proposal(id);
        ((ObjectNode) testEnvelope.json().path("payload").path("params"))
                .putObject("_meta")
                .put("traceparent", "00-" + TRACE + "-" + CALLER + "-" + flags);
        return testEnvelope;
    }

    @Test
    void aProposalFromItsMakingToItsOutcomeIsOneTrace() throws Exception {
        try (TestParticipant helper = testTopic.join("helper");
                TestParticipant alice = testTopic.join("alice");
                TestParticipant files = testTopic.join("files")) {
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-1"));
            alice.sendAndAwaitEcho(TestEnvelope.fulfilment("r-1", "p-1"));
            files.sendAndAwaitEcho(TestEnvelope.answer("a-1", "r-1"));

            List<JsonNode> spans = spans(3);

            ProposalTraceContext trace = ProposalTraceContext.of(
                    "ops", "p-1", RawPayload.of(TestEnvelope.WRITE.getBytes(StandardCharsets.UTF_8)));
            JsonNode proposal = named(spans, "proposal tools/call write_file");
            JsonNode decide = named(spans, "decide");
            JsonNode run = named(spans, "run tools/call write_file");
            assertThat(spans)
                    .hasSize(3)
                    .allMatch(span -> span.path("traceId").asString().equals(trace.traceId()));
            assertThat(proposal.path("spanId").asString()).isEqualTo(trace.spanId(SpanType.PROPOSAL));
            assertThat(proposal.has("parentSpanId")).isFalse();
            assertThat(decide.path("parentSpanId").asString()).isEqualTo(trace.spanId(SpanType.PROPOSAL));
            assertThat(run.path("spanId").asString()).isEqualTo(trace.spanId(SpanType.RUN));
            assertThat(run.path("parentSpanId").asString()).isEqualTo(trace.spanId(SpanType.PROPOSAL));
            assertThat(decide.path("startTimeUnixNano")).isEqualTo(proposal.path("startTimeUnixNano"));
            assertThat(run.path("startTimeUnixNano")).isEqualTo(decide.path("endTimeUnixNano"));
            assertThat(run.path("endTimeUnixNano")).isEqualTo(proposal.path("endTimeUnixNano"));
            assertThat(attribute(proposal, "gavel.topic")).isEqualTo("ops");
            assertThat(attribute(proposal, "gavel.proposal")).isEqualTo("p-1");
            assertThat(attribute(proposal, "gavel.proposer")).isEqualTo("helper");
            assertThat(attribute(proposal, "gavel.decider")).isEqualTo("alice");
            assertThat(attribute(proposal, "gavel.end")).isEqualTo("fulfilled");
            assertThat(attribute(proposal, "gavel.outcome")).isEqualTo("succeeded");
            assertThat(attribute(proposal, "gavel.edited")).isEqualTo("false");
            assertThat(attribute(proposal, "gavel.kind")).isEqualTo("mcp.proposal.tools/call:write_file");
            assertThat(collector.text()).doesNotContain("/etc/motd");
        }
    }

    @Test
    void aRejectedProposalSaysByWhomAndNotWhy() throws Exception {
        try (TestParticipant helper = testTopic.join("helper");
                TestParticipant alice = testTopic.join("alice")) {
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-1"));
            alice.sendAndAwaitEcho(
                    TestEnvelope.rejection("no-1", "unsafe", "p-1").payload("note", "between us"));

            JsonNode proposal = named(spans(2), "proposal tools/call write_file");

            assertThat(attribute(proposal, "gavel.end")).isEqualTo("rejected");
            assertThat(attribute(proposal, "gavel.decider")).isEqualTo("alice");
            assertThat(collector.text()).doesNotContain("unsafe", "between us");
        }
    }

    @Test
    void aCallThatFailedIsMarked() throws Exception {
        try (TestParticipant helper = testTopic.join("helper");
                TestParticipant alice = testTopic.join("alice");
                TestParticipant files = testTopic.join("files")) {
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-1"));
            alice.sendAndAwaitEcho(TestEnvelope.fulfilment("r-1", "p-1"));
            files.sendAndAwaitEcho(TestEnvelope.envelope(
                            "a-1",
                            "mcp.response.tools/call:write_file",
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"no\"}}")
                    .about("r-1"));

            List<JsonNode> spans = spans(3);

            assertThat(named(spans, "run tools/call write_file")
                            .path("status")
                            .path("code")
                            .asInt())
                    .isEqualTo(2);
            assertThat(named(spans, "decide").has("status")).isFalse();
        }
    }

    @Test
    void aProposalWithATraceparentBelongsToThatTrace() throws Exception {
        try (TestParticipant helper = testTopic.join("helper")) {
            helper.sendAndAwaitEcho(withTraceParent("p-1", "01"));
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-1", "p-1"));

            List<JsonNode> spans = spans(2);

            assertThat(spans).allMatch(span -> span.path("traceId").asString().equals(TRACE));
            assertThat(named(spans, "proposal tools/call write_file")
                            .path("parentSpanId")
                            .asString())
                    .isEqualTo(CALLER);
        }
    }

    @Test
    void aTraceThatIsNotToBeRecordedIsNot() throws Exception {
        try (TestParticipant helper = testTopic.join("helper")) {
            helper.sendAndAwaitEcho(withTraceParent("p-1", "00"));
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-1", "p-1"));
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-2"));
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-2", "p-2"));

            assertThat(spans(2))
                    .allMatch(span -> attribute(span, "gavel.proposal").equals("p-2"));
        }
    }

    /** A span that starts in one process and ends in another stays in the same trace. */
    @Test
    void aRestartDoesNotBreakATrace() throws Exception {
        try (TestParticipant helper = testTopic.join("helper")) {
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-1"));
        }
        testTopic.restart();
        try (TestParticipant helper = testTopic.join("helper")) {
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-1", "p-1"));

            JsonNode proposal = named(spans(2), "proposal tools/call write_file");

            assertThat(proposal.path("startTimeUnixNano").asString())
                    .isLessThan(proposal.path("endTimeUnixNano").asString());
        }
    }

    @Test
    void whatWaitsIsSentBeforeTheServerEnds() throws Exception {
        try (TestParticipant helper = testTopic.join("helper")) {
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-1"));
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-1", "p-1"));
        }
        testTopic.stop();

        assertThat(collector.spans()).hasSize(2);
        testTopic.start();
    }

    @Test
    void aCollectorThatIsAwayForAMomentLosesNothing() throws Exception {
        collector.respondWith(503);
        try (TestParticipant helper = testTopic.join("helper")) {
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-1"));
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-1", "p-1"));
            await().until(() -> collector.requestCount() > 0);
            collector.respondWith(200);

            assertThat(spans(2)).hasSize(2);
            await().untilAsserted(() -> assertThat(new PrometheusPage(testTopic.text("/metrics")).samples())
                    .containsEntry("gavel_spans_exported_total", 2.0)
                    .containsEntry("gavel_spans_dropped_total", 0.0));
        }
    }

    @Test
    void spansThatNobodyTakesAreDroppedAndCountedAndNobodyWaitsForThem() throws Exception {
        collector.respondWith(400);
        try (TestParticipant helper = testTopic.join("helper")) {
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-1"));
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-1", "p-1"));

            await().untilAsserted(() -> assertThat(new PrometheusPage(testTopic.text("/metrics")).samples())
                    .containsEntry("gavel_spans_exported_total", 0.0)
                    .containsEntry("gavel_spans_dropped_total", 2.0));
        }
    }
}
