package dev.gavel.app.proposal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.PrometheusPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code /metrics} on a real server after various operations. */
class MetricsTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data);
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private PrometheusPage scrape() throws IOException, InterruptedException {
        return new PrometheusPage(testTopic.text("/metrics"));
    }

    private void expect(String sample, double value) throws IOException, InterruptedException {
        assertThat(scrape().samples()).containsEntry(sample, value);
    }

    @Test
    void proposalsAreCountedByEndAndOutcomeAndHowLongTheyTook() throws Exception {
        try (TestParticipant helper = testTopic.join("helper");
                TestParticipant alice = testTopic.join("alice");
                TestParticipant files = testTopic.join("files")) {
            for (String id : new String[] {"p-1", "p-2", "p-3", "p-4", "p-5"}) {
                helper.sendAndAwaitEcho(TestEnvelope.proposal(id));
            }
            alice.sendAndAwaitEcho(TestEnvelope.fulfilment("r-1", "p-1"));
            files.sendAndAwaitEcho(TestEnvelope.answer("a-1", "r-1"));
            alice.sendAndAwaitEcho(TestEnvelope.fulfilment("r-2", "p-2"));
            alice.sendAndAwaitEcho(TestEnvelope.rejection("no-3", "unsafe", "p-3"));
            helper.sendAndAwaitEcho(TestEnvelope.withdrawal("w-4", "p-4"));
            assertThat(alice.sendAndAwaitError(TestEnvelope.fulfilment("r-3", "p-3"))
                            .path("error")
                            .asString())
                    .isEqualTo("proposal_closed");

            PrometheusPage prometheusPage = scrape();

            assertThat(prometheusPage.samples())
                    .containsAllEntriesOf(Map.ofEntries(
                            Map.entry("gavel_proposed_total{topic=\"ops\"}", 5.0),
                            Map.entry("gavel_proposals_open{topic=\"ops\"}", 1.0),
                            Map.entry("gavel_proposals_unanswered{topic=\"ops\"}", 1.0),
                            Map.entry("gavel_proposals_unreachable{topic=\"ops\"}", 0.0),
                            Map.entry("gavel_proposals_total{topic=\"ops\",end=\"fulfilled\"}", 2.0),
                            Map.entry("gavel_proposals_total{topic=\"ops\",end=\"rejected\"}", 1.0),
                            Map.entry("gavel_proposals_total{topic=\"ops\",end=\"withdrawn\"}", 1.0),
                            Map.entry("gavel_proposals_total{topic=\"ops\",end=\"expired\"}", 0.0),
                            Map.entry("gavel_outcomes_total{topic=\"ops\",outcome=\"succeeded\"}", 1.0),
                            Map.entry("gavel_outcomes_total{topic=\"ops\",outcome=\"unknown\"}", 0.0),
                            Map.entry("gavel_proposal_decision_seconds_count{topic=\"ops\",end=\"fulfilled\"}", 2.0),
                            Map.entry("gavel_answer_seconds_count{topic=\"ops\",outcome=\"succeeded\"}", 1.0),
                            Map.entry(
                                    "gavel_envelopes_total{topic=\"ops\",kind=\"mcp.proposal\",verdict=\"admitted\"}",
                                    5.0),
                            Map.entry(
                                    "gavel_envelopes_total{topic=\"ops\",kind=\"mcp.request\",verdict=\"proposal_closed\"}",
                                    1.0),
                            Map.entry("gavel_ledger_available", 1.0),
                            Map.entry("gavel_connections{topic=\"ops\",transport=\"socket\"}", 3.0),
                            Map.entry("gavel_connections{topic=\"plain\",transport=\"socket\"}", 0.0),
                            Map.entry("gavel_participants{topic=\"ops\"}", 3.0)));
            assertThat(prometheusPage.value("gavel_ledger_events_total")).isGreaterThanOrEqualTo(9);
            assertThat(prometheusPage.value("gavel_ledger_commit_seconds_count"))
                    .isPositive();
        }
    }

    @Test
    void anEnvelopeIsCountedOnceWhateverBecomesOfIt() throws Exception {
        try (TestParticipant helper = testTopic.join("helper");
                TestParticipant alice = testTopic.join("alice")) {
            helper.send(TestEnvelope.chat("c-1"));
            helper.send("{\"not\":\"an envelope\"}");
            helper.send(TestEnvelope.fulfilment("r-1", "nothing"));
            helper.send(TestEnvelope.chat("c-2").to("nobody"));
            // Answered last, so everything before it has been counted.
            helper.sendAndAwaitError(TestEnvelope.envelope("s-1", "system.error", "{}"));
            alice.awaitId("c-1");
            alice.sendAndAwaitError(TestEnvelope.fulfilment("r-2", "nothing"));
            testTopic.post("helper", "ops", TestEnvelope.chat("c-3").toString());
            testTopic.post("helper", "ops", "nonsense");

            Map<String, Double> samples = scrape().samples();

            assertThat(samples)
                    .containsEntry(envelopes("mcp.request", "capability_violation"), 1.0)
                    .containsEntry(envelopes("mcp.request", "unknown_proposal"), 1.0)
                    .containsEntry(envelopes("chat.message", "unknown_recipient"), 1.0)
                    .containsEntry(envelopes("system", "reserved_namespace"), 1.0)
                    .containsEntry(envelopes("other", "malformed"), 2.0)
                    .containsEntry(envelopes("chat.message", "admitted"), 2.0);
        }
    }

    private static String envelopes(String kind, String verdict) {
        return "gavel_envelopes_total{topic=\"ops\",kind=\"" + kind + "\",verdict=\"" + verdict + "\"}";
    }

    @Test
    void aDeliveryIsCountedForEachReceiver() throws Exception {
        try (TestParticipant helper = testTopic.join("helper");
                TestParticipant alice = testTopic.join("alice");
                TestParticipant bob = testTopic.join("bob")) {
            alice.receivedBefore(helper);
            bob.receivedBefore(helper);
            double before = scrape().value("gavel_deliveries_total{topic=\"ops\"}");

            helper.send(TestEnvelope.chat("c-1"));
            alice.awaitId("c-1");
            bob.awaitId("c-1");

            expect("gavel_deliveries_total{topic=\"ops\"}", before + 2);
        }
    }

    @Test
    void connectionsThatTheGatewayEndedAreCountedByReason() throws Exception {
        testTopic.join("bob");
        testTopic.join("bob");

        await().untilAsserted(() -> {
            expect("gavel_dropped_connections_total{topic=\"ops\",reason=\"replaced\"}", 1);
            expect("gavel_connections{topic=\"ops\",transport=\"socket\"}", 1);
        });
    }

    @Test
    void streamsAndPollsAreConnectionsToo() throws Exception {
        TestEventStream testEventStream = testTopic.listen("alice", "", "");
        Thread poll = Thread.startVirtualThread(() -> {
            try {
                testTopic.poll("bob", 0, 50);
            } catch (IOException | InterruptedException | AssertionError e) {
                // The topic was closed before any event, as intended.
            }
        });
        await().untilAsserted(() -> {
            expect("gavel_connections{topic=\"ops\",transport=\"stream\"}", 1);
            expect("gavel_connections{topic=\"ops\",transport=\"poll\"}", 1);
            expect("gavel_participants{topic=\"ops\"}", 2);
        });
        try (TestParticipant helper = testTopic.join("helper")) {
            helper.sendAndAwaitEcho(TestEnvelope.proposal("p-1"));
        }
        poll.join();
        testEventStream.close();
    }

    @Test
    void visitsThatWereTurnedAwayAreCountedByCode() throws Exception {
        testTopic.get("mallory", "/topics/ops");
        testTopic.get("nobody", "/topics/ops");
        testTopic.handshakeStatus("nobody", "topic=ops");

        expect("gavel_refused_visits_total{code=\"not_a_member\"}", 1);
        expect("gavel_refused_visits_total{code=\"unauthenticated\"}", 2);
    }

    @Test
    void theProcessIsMeasuredUnderTheUsualNames() throws Exception {
        PrometheusPage prometheusPage = scrape();

        assertThat(prometheusPage.value("process_cpu_seconds_total")).isPositive();
        assertThat(prometheusPage.value("process_start_time_seconds")).isGreaterThan(1e9);
        assertThat(prometheusPage.value("jvm_memory_used_bytes{area=\"heap\"}")).isPositive();
        assertThat(prometheusPage.value("jvm_threads_current")).isPositive();
        assertThat(prometheusPage.labels("gavel_build_info")).containsExactly("version");
        assertThat(prometheusPage.labels("jvm_gc_collection_seconds_sum")).containsExactly("gc");
    }
}
