package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests expiry: a time to live counts from receipt, the topic limits it, and all participants are notified of its end.
 */
class ExpireTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"), "ttl: {default: 7m, max: 1h}");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void onExpiryEverybodyInTheTopicIsTold() throws Exception {
        TestParticipant alice = testTopic.join("alice");
        TestParticipant carol = testTopic.join("carol", "&mode=directed");
        TestParticipant files = testTopic.join("files", "&mode=directed");
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        helper.sendAndAwaitEcho(proposal("p-1").to("alice").ttl(1));
        for (TestParticipant testParticipant : List.of(alice, carol, files, helper)) {
            JsonNode notice = testParticipant.await("system.proposal.expired", "p-1");
            assertThat(notice.path("from").asString()).isEqualTo("system:gateway");
            assertThat(notice.path("correlationId").asString()).isEqualTo("p-1");
            assertThat(TestParticipant.id(notice)).startsWith("system:event-");
        }
        assertThat(testTopic.state("p-1")).isEqualTo("expired");
        assertThat(TestParticipant.texts(testTopic.proposal("helper", "p-1").path("timeline"), "event"))
                .containsExactly("proposed", "expired");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                       | PT7M
            1          | PT1S
            90         | PT1M30S
            3600       | PT1H
            3601       | PT1H
            1000000000 | PT1H
            1e30       | PT1H
            """)
    void aProposalStandsForItsTtlAtMostTheTopicsMaximum(String ttl, Duration stands) throws Exception {
        TestEnvelope testEnvelope = proposal("p-1");
        JsonNode echo = testTopic
                .join("helper")
                .sendAndAwaitEcho(
                        ttl == null ? testEnvelope : testEnvelope.payload("ttl", TestEnvelope.JSON.readTree(ttl)));
        Instant received = Instant.parse(echo.path("ts").asString());
        Instant expiry = Instant.parse(
                testTopic.proposal("helper", "p-1").path("expiresAt").asString());
        // Times in envelopes are in milliseconds.
        assertThat(Duration.between(received, expiry.truncatedTo(ChronoUnit.MILLIS)))
                .isEqualTo(stands);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "-0.5", "0.0", "\"60\"", "null", "true", "[60]"})
    void aTtlThatIsNoNumberAboveZeroIsMalformed(String ttl) throws Exception {
        TestParticipant alice = testTopic.join("alice");
        TestParticipant helper = testTopic.join("helper");
        JsonNode error = helper.sendAndAwaitError(proposal("p-1").payload("ttl", TestEnvelope.JSON.readTree(ttl)));
        assertThat(error.path("error").asString()).isEqualTo("malformed");
        assertThat(TestParticipant.ids(alice.receivedBefore(helper))).doesNotContain("p-1");
        assertThat(testTopic.get("alice", "/topics/ops/proposals/p-1").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"})
    void theTtlCountsFromReceiptWhateverTheSendersClockSays(String ts) throws Exception {
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("long").with("ts", ts).ttl(600));
        helper.sendAndAwaitEcho(proposal("short").with("ts", ts).ttl(1));
        helper.await("system.proposal.expired", "short");
        assertThat(testTopic.state("long")).isEqualTo("open");
        assertThat(testTopic.state("short")).isEqualTo("expired");
    }

    @Test
    void whatHasEndedDoesNotExpire() throws Exception {
        testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        TestParticipant helper = testTopic.join("helper");
        for (String id : List.of("fulfilled", "rejected", "withdrawn")) {
            helper.sendAndAwaitEcho(proposal(id).ttl(3));
        }
        alice.sendAndAwaitEcho(fulfilment("f-1", "fulfilled"));
        alice.sendAndAwaitEcho(rejection("r-1", "policy", "rejected"));
        helper.sendAndAwaitEcho(withdrawal("w-1", "withdrawn"));
        helper.sendAndAwaitEcho(proposal("clock").ttl(4));
        assertThat(TestParticipant.kinds(helper.receivedBefore("system.proposal.expired", "clock")))
                .doesNotContain("system.proposal.expired");
        for (String id : List.of("fulfilled", "rejected", "withdrawn")) {
            assertThat(testTopic.state(id)).isEqualTo(id);
        }
    }

    @Test
    void manyExpireEachOnce() throws Exception {
        TestParticipant carol = testTopic.join("carol");
        TestParticipant helper = testTopic.join("helper");
        for (int i = 0; i < 50; i++) {
            helper.sendAndAwaitEcho(proposal("p-" + i).ttl(2));
        }
        helper.sendAndAwaitEcho(proposal("clock").ttl(4));
        List<String> expired = carol.receivedBefore("system.proposal.expired", "clock").stream()
                .filter(each -> TestParticipant.kind(each).equals("system.proposal.expired"))
                .flatMap(each -> TestParticipant.about(each).stream())
                .toList();
        assertThat(expired).hasSize(50).doesNotHaveDuplicates();
    }
}
