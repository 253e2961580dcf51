package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.chat;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests long polls: they return the lifecycle envelopes and notices that a socket would receive, and make the client a
 * participant.
 */
@Timeout(60)
class LongPollTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private static List<String> ids(JsonNode answer) {
        return TestParticipant.texts(answer.path("messages"), "id");
    }

    @Test
    void whatHappenedIsThereAtOnceAndTheSeqLeadsOn() throws Exception {
        testTopic.join("bob");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.sendAndAwaitEcho(proposal("p-2"));
        JsonNode first = testTopic.poll("alice", 0, 30);
        assertThat(ids(first)).containsExactly("p-1", "p-2");
        assertThat(first.path("messages").path(0).path("payload"))
                .isEqualTo(TestEnvelope.JSON.readTree(TestEnvelope.WRITE));
        long seq = first.path("seq").asLong();
        assertThat(seq)
                .isEqualTo(
                        testTopic.get("alice", "/topics/ops").body().path("seq").asLong());
        JsonNode none = testTopic.poll("alice", seq, 0);
        assertThat(ids(none)).isEmpty();
        assertThat(none.path("seq").asLong()).isEqualTo(seq);
        helper.sendAndAwaitEcho(proposal("p-3"));
        assertThat(ids(testTopic.poll("alice", seq, 30))).containsExactly("p-3");
    }

    @Test
    void itWaitsForWhatIsToCome() throws Exception {
        TestParticipant alice = testTopic.join("alice");
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<JsonNode> polled = threads.submit(() -> testTopic.poll("bob", 0, 30));
            // The client is a participant as soon as it sends the request.
            assertThat(alice.await("system.presence")
                            .path("payload")
                            .path("participant")
                            .path("id")
                            .asString())
                    .isEqualTo("bob");
            helper.sendAndAwaitEcho(proposal("p-1"));
            assertThat(ids(polled.get(30, TimeUnit.SECONDS))).containsExactly("p-1");
        }
    }

    @Test
    void whenTheWaitIsOverItSaysSoWithNothing() throws Exception {
        JsonNode answer = testTopic.poll("bob", 0, 1);
        assertThat(answer.path("messages").isArray()).isTrue();
        assertThat(ids(answer)).isEmpty();
        assertThat(answer.path("seq").asLong()).isZero();
    }

    @Test
    void chatAndPresenceAreNotAmongIt() throws Exception {
        testTopic.join("alice");
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.send(chat("c-1"));
        helper.sendAndAwaitEcho(proposal("p-2"));
        assertThat(TestParticipant.texts(testTopic.poll("bob", 0, 0).path("messages"), "kind"))
                .containsOnly("mcp.proposal.tools/call:write_file");
    }

    @Test
    void noticesOfRejectionsAreAmongItAndThoseOfPresenceAreNot() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        helper.await("system.proposal.unreachable", "p-1");
        testTopic.join("alice").sendAndAwaitEcho(rejection("r-1", "policy", "p-1"));
        JsonNode answer = testTopic.poll("helper", 0, 0);
        assertThat(TestParticipant.texts(answer.path("messages"), "kind"))
                .containsExactly(
                        "mcp.proposal.tools/call:write_file", "mcpx.reject.proposal", "system.proposal.rejected");
    }

    @Test
    void whoPollsIsAParticipant() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        testTopic.poll("files", 0, 0);
        assertThat(TestParticipant.texts(
                        testTopic.join("alice").welcome().path("payload").path("participants"), "id"))
                .contains("files");
        assertThat(testTopic.post("alice", fulfilment("f-1", "p-1")).status()).isEqualTo(202);
        assertThat(ids(testTopic.poll("files", 0, 0))).contains("f-1");
    }

    @Test
    void directedItIsSentLess() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1").to("bob"));
        helper.sendAndAwaitEcho(proposal("p-2"));
        helper.sendAndAwaitEcho(proposal("p-3").to("carol"));
        TestTopic.Answer answer = testTopic.get("carol", "/topics/ops/messages?since=0&wait=0&mode=directed");
        assertThat(ids(answer.body())).containsExactly("p-2", "p-3");
    }

    @Test
    void aSeqThatTheTopicHasNotReachedMeansResync() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode answer = testTopic.poll("bob", 1_000_000, 30);
        assertThat(TestParticipant.texts(answer.path("messages"), "kind")).contains("system.resync");
        assertThat(answer.path("seq").asLong())
                .isEqualTo(
                        testTopic.get("bob", "/topics/ops").body().path("seq").asLong());
    }

    @ParameterizedTest
    @CsvSource({
        "since=x&wait=0, 400",
        "since=-1&wait=0, 400",
        "since=0&wait=x, 400",
        "since=0&wait=-1, 400",
    })
    void whatIsNoSeqAndNoTimeIsABadRequest(String query, int status) throws Exception {
        assertThat(testTopic.get("bob", "/topics/ops/messages?" + query).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"mallory, ops, 403", "nobody, ops, 401", "bob, nowhere, 404"})
    void whoMayNotJoinMayNotPoll(String who, String topic, int status) throws Exception {
        assertThat(testTopic
                        .get(who, "/topics/" + topic + "/messages?since=0&wait=0")
                        .status())
                .isEqualTo(status);
    }

    @Test
    void theTopicSaysWhoIsThereAndWhereItStands() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode topic = testTopic.get("helper", "/topics/ops").body();
        assertThat(topic.path("name").asString()).isEqualTo("ops");
        assertThat(topic.path("you").path("id").asString()).isEqualTo("helper");
        assertThat(topic.path("seq").asLong()).isPositive();
        testTopic.join("alice");
        assertThat(TestParticipant.texts(
                        testTopic.get("helper", "/topics/ops").body().path("participants"), "id"))
                .contains("alice");
        assertThat(testTopic.get("mallory", "/topics/ops").status()).isEqualTo(403);
    }
}
