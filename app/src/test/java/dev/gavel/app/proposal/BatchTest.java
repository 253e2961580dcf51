package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.status;
import static dev.gavel.app.proposal.TestEnvelope.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests batches: one envelope about several proposals is routed with those that succeeded, and one error lists those
 * that did not.
 */
class BatchTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;
    private TestParticipant bob;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        alice = testTopic.join("alice");
        bob = testTopic.join("bob");
        helper = testTopic.join("helper");
        for (String id : List.of("p-1", "p-2", "p-3", "over")) {
            helper.sendAndAwaitEcho(proposal(id));
        }
        helper.sendAndAwaitEcho(withdrawal("w-0", "over"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private static TestEnvelope batch(String act, String... ids) {
        return switch (act) {
            case "withdraw" -> withdrawal("batch", ids);
            case "reject" -> rejection("batch", "policy", ids);
            default -> status("batch", "queued", ids);
        };
    }

    private TestParticipant actor(String act) {
        return act.equals("withdraw") ? helper : bob;
    }

    private static String state(String act) {
        return switch (act) {
            case "withdraw" -> "withdrawn";
            case "reject" -> "rejected";
            default -> "open";
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"withdraw", "reject", "status"})
    void allAreDone(String act) throws Exception {
        TestParticipant actor = actor(act);
        assertThat(TestParticipant.about(actor.sendAndAwaitEcho(batch(act, "p-1", "p-2", "p-3"))))
                .containsExactly("p-1", "p-2", "p-3");
        assertThat(TestParticipant.about(alice.awaitId("batch"))).containsExactly("p-1", "p-2", "p-3");
        for (String id : List.of("p-1", "p-2", "p-3")) {
            assertThat(testTopic.state(id)).isEqualTo(state(act));
            assertThat(testTopic.proposal("alice", id).path("timeline").toString())
                    .contains("\"batch\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"withdraw", "reject", "status"})
    void itIsRoutedWithThoseThatSucceededAndEachOtherIsAnError(String act) throws Exception {
        TestParticipant actor = actor(act);
        actor.send(batch(act, "p-1", "over", "p-9", "p-3"));
        Map<String, String> errors = new TreeMap<>();
        List<String> echoed = new ArrayList<>();
        while (errors.size() < 2 || echoed.isEmpty()) {
            JsonNode envelope = actor.next();
            if (TestParticipant.kind(envelope).equals("system.error")) {
                assertThat(TestParticipant.about(envelope)).containsExactly("batch");
                JsonNode payload = envelope.path("payload");
                errors.put(
                        payload.path("proposal").asString(),
                        payload.path("error").asString() + " "
                                + payload.path("state").asString("-"));
            } else if (TestParticipant.id(envelope).equals("batch")) {
                echoed.addAll(TestParticipant.about(envelope));
            }
        }
        assertThat(errors).isEqualTo(Map.of("over", "proposal_closed withdrawn", "p-9", "unknown_proposal -"));
        assertThat(echoed).containsExactly("p-1", "p-3");
        assertThat(TestParticipant.about(alice.awaitId("batch"))).containsExactly("p-1", "p-3");
        assertThat(testTopic.state("p-1")).isEqualTo(state(act));
        assertThat(testTopic.state("p-3")).isEqualTo(state(act));
        assertThat(testTopic.state("p-2")).isEqualTo("open");
        assertThat(TestParticipant.kinds(actor.receivedBefore(alice))).doesNotContain("system.error");
    }

    @Test
    void othersProposalsInABatchAreNotWithdrawn() throws Exception {
        alice.sendAndAwaitEcho(proposal("hers"));
        TestTopic.Answer answer = testTopic.post("helper", withdrawal("batch", "p-1", "hers"));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body().path("errors").size()).isEqualTo(1);
        JsonNode error = answer.body().path("errors").path(0);
        assertThat(error.path("code").asString()).isEqualTo("not_proposer");
        assertThat(error.path("proposal").asString()).isEqualTo("hers");
        assertThat(error.path("state").asString()).isEqualTo("open");
        assertThat(error.path("detail").asString()).isNotBlank();
        assertThat(testTopic.state("hers")).isEqualTo("open");
        assertThat(testTopic.state("p-1")).isEqualTo("withdrawn");
    }

    @Test
    void ifNoneSucceedsNothingIsRouted() throws Exception {
        bob.send(rejection("batch", "policy", "over", "p-9"));
        assertThat(bob.await("system.error").path("payload").path("proposal").asString())
                .isEqualTo("over");
        assertThat(bob.await("system.error").path("payload").path("proposal").asString())
                .isEqualTo("p-9");
        assertThat(TestParticipant.ids(alice.receivedBefore(bob))).doesNotContain("batch");
        assertThat(TestParticipant.ids(bob.receivedBefore(alice))).doesNotContain("batch");
    }

    @Test
    void anIdNamedTwiceIsTakenOnce() throws Exception {
        assertThat(TestParticipant.about(bob.sendAndAwaitEcho(rejection("batch", "busy", "p-1", "p-1", "p-2"))).stream()
                        .distinct())
                .containsExactly("p-1", "p-2");
        assertThat(TestParticipant.texts(testTopic.proposal("bob", "p-1").path("reasons"), "from"))
                .containsExactly("bob");
    }

    @Test
    void anArrayOfOneIsThatOne() throws Exception {
        bob.sendAndAwaitEcho(
                rejection("batch", "policy").with("correlationId", TestEnvelope.JSON.readTree("[\"p-1\"]")));
        assertThat(testTopic.state("p-1")).isEqualTo("rejected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"withdraw", "reject", "status"})
    void noneAtAllIsMalformed(String act) throws Exception {
        assertThat(actor(act)
                        .sendAndAwaitError(batch(act).with("correlationId", TestEnvelope.JSON.readTree("[]")))
                        .path("error")
                        .asString())
                .isEqualTo("malformed");
    }

    @Test
    void aReplayCarriesThoseThatSucceeded() throws Exception {
        bob.send(rejection("batch", "policy", "p-1", "over", "p-3"));
        bob.awaitId("batch");
        assertThat(TestParticipant.about(testTopic.join("carol", "&since=0").awaitId("batch")))
                .containsExactly("p-1", "p-3");
    }
}
