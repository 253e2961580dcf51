package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.answer;
import static dev.gavel.app.proposal.TestEnvelope.envelope;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests to which members the topic delivers the secret arguments of a proposal. Carol and bob listen: carol can only
 * reject, and bob could approve and reveal.
 */
class SecretDeliveryTest {
    private static final String SECRET = "hunter2-hunter2";
    private static final String OTHER_SECRET = "correct-horse";
    private static final String HIDDEN = "{\"dev.gavel/redacted\":\"secret\"}";
    private static final String EDITED = "{\"dev.gavel/redacted\":\"secret, edited by the reviewer\"}";

    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;
    private TestParticipant helper;
    private TestParticipant files;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data, "secret: [password]");
        joinAll();
    }

    private void joinAll() throws IOException {
        alice = testTopic.join("alice");
        helper = testTopic.join("helper");
        files = testTopic.join("files");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private static String call(String path, String password) {
        return "{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"path\":\"" + path
                + "\",\"password\":" + password + "}}}";
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    private static String password(JsonNode envelope) {
        return envelope.path("payload")
                .path("params")
                .path("arguments")
                .path("password")
                .toString();
    }

    private void propose() throws IOException {
        assertThat(password(helper.sendAndAwaitEcho(proposal("p-1").payload(call("/a", quoted(SECRET))))))
                .isEqualTo(quoted(SECRET));
    }

    /** Runs a proposal to its result. Alice approves it without seeing its secret. */
    private void run() throws IOException {
        propose();
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1").payload(call("/b", HIDDEN)));
        files.sendAndAwaitEcho(answer("a-1", "f-1").to("alice"));
    }

    @Test
    void listenersReceiveMarkersAndTheProposerAndTheRunnerReceiveTheValues() throws Exception {
        List<TestParticipant> listeners =
                List.of(testTopic.join("carol"), testTopic.join("bob"), testTopic.join("search"), alice);
        TestEventStream stream = testTopic.listen("carol", "", "");
        stream.next();
        propose();
        alice.send(fulfilment("f-1", "p-1").payload(call("/b", HIDDEN)));

        for (TestParticipant listener : listeners) {
            assertThat(password(listener.awaitId("p-1"))).isEqualTo(HIDDEN);
            JsonNode approval = listener.awaitId("f-1");
            assertThat(password(approval)).isEqualTo(HIDDEN);
            assertThat(approval.toString()).contains("/b");
        }
        assertThat(password(stream.await("p-1").envelope())).isEqualTo(HIDDEN);
        assertThat(password(stream.await("f-1").envelope())).isEqualTo(HIDDEN);
        assertThat(password(files.awaitId("p-1"))).isEqualTo(HIDDEN);
        assertThat(password(files.awaitId("f-1"))).isEqualTo(quoted(SECRET));
        assertThat(password(helper.awaitId("f-1"))).isEqualTo(quoted(SECRET));
    }

    @Test
    void replaysAndPollsHideTheValuesAlsoAfterARestart() throws Exception {
        run();
        testTopic.restart();

        for (String listener : List.of("carol", "bob", "alice")) {
            assertThat(testTopic.poll(listener, 0, 0).path("messages").toString())
                    .contains("f-1", HIDDEN)
                    .doesNotContain(SECRET);
            TestParticipant late = testTopic.join(listener, "&since=0");
            assertThat(password(late.awaitId("p-1"))).isEqualTo(HIDDEN);
            assertThat(password(late.awaitId("f-1"))).isEqualTo(HIDDEN);
            assertThat(password(testTopic.listen(listener, "", "0").await("f-1").envelope()))
                    .isEqualTo(HIDDEN);
        }
        TestParticipant runner = testTopic.join("files", "&since=0");
        assertThat(password(runner.awaitId("p-1"))).isEqualTo(HIDDEN);
        assertThat(password(runner.awaitId("f-1"))).isEqualTo(quoted(SECRET));
        TestParticipant proposer = testTopic.join("helper", "&since=0");
        assertThat(password(proposer.awaitId("p-1"))).isEqualTo(quoted(SECRET));
        assertThat(password(proposer.awaitId("f-1"))).isEqualTo(quoted(SECRET));
    }

    @Test
    void aWaitingPollGetsMarkers() throws Exception {
        long seq = alice.seq();
        Thread proposer = Thread.ofVirtual().start(() -> {
            try {
                propose();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(testTopic.poll("carol", seq, 30).path("messages").toString())
                .contains("p-1", HIDDEN)
                .doesNotContain(SECRET);
        proposer.join();
    }

    @Test
    void theWelcomeOfALateMemberHidesTheValues() throws Exception {
        propose();

        assertThat(testTopic.join("bob").welcome().toString())
                .contains("p-1", HIDDEN)
                .doesNotContain(SECRET);
    }

    @Test
    void theSenderOfAnApprovalGetsItBackAsItSentIt() throws Exception {
        propose();
        TestEnvelope approval = fulfilment("f-1", "p-1").payload(call("/b", HIDDEN));
        JsonNode echo = alice.sendAndAwaitEcho(approval);

        assertThat(echo.path("payload")).isEqualTo(TestEnvelope.JSON.readTree(call("/b", HIDDEN)));
        assertThat(alice.sendAndAwaitEcho(approval)).isEqualTo(echo);
        testTopic.restart();
        joinAll();
        assertThat(alice.sendAndAwaitEcho(approval)).isEqualTo(echo);
        assertThat(alice.sendAndAwaitError(fulfilment("f-1", "p-1").payload(call("/c", HIDDEN)))
                        .path("error")
                        .asString())
                .isEqualTo("duplicate_id");
        assertThat(testTopic.join("alice", "&since=0").awaitId("f-1")).isEqualTo(echo);
    }

    @Test
    void aSecretThatTheReviewerEditedReachesOnlyTheReviewerAndTheRunner() throws Exception {
        TestParticipant carol = testTopic.join("carol");
        propose();
        JsonNode echo = alice.sendAndAwaitEcho(fulfilment("f-1", "p-1").payload(call("/a", quoted(OTHER_SECRET))));

        assertThat(password(echo)).isEqualTo(quoted(OTHER_SECRET));
        assertThat(password(files.awaitId("f-1"))).isEqualTo(quoted(OTHER_SECRET));
        assertThat(password(carol.awaitId("f-1"))).isEqualTo(EDITED);
        assertThat(password(helper.awaitId("f-1"))).isEqualTo(EDITED);
        assertThat(testTopic.proposal("helper", "p-1").toString())
                .contains(EDITED)
                .doesNotContain(SECRET, OTHER_SECRET);
    }

    @Test
    void aReviewerThatRunsTheCallItselfGetsTheValuesAndTheLedgerRecordsIt() throws Exception {
        propose();
        JsonNode request =
                alice.sendAndAwaitEcho(fulfilment("f-1", "p-1").to("alice").payload(call("/a", HIDDEN)));

        assertThat(password(request)).isEqualTo(quoted(SECRET));
        assertThat(TestParticipant.texts(testTopic.proposal("bob", "p-1").path("timeline"), "event"))
                .containsExactly("proposed", "secrets_revealed", "fulfilled");
    }

    @Test
    void otherMessagesOfTheSameMomentKeepTheirOrder() throws Exception {
        TestParticipant carol = testTopic.join("carol");
        helper.send(proposal("p-0"));
        helper.send(proposal("p-1").payload(call("/a", quoted(SECRET))));
        helper.send(proposal("p-2"));
        for (TestParticipant each : List.of(helper, carol)) {
            List<String> received = new ArrayList<>();
            while (!received.contains("p-2")) {
                received.add(TestParticipant.id(each.next()));
            }
            assertThat(received).containsSubsequence("p-0", "p-1", "p-2").doesNotHaveDuplicates();
        }
    }

    @Test
    void aPatternThatIsAddedLaterHidesEarlierValuesInReplays() throws Exception {
        testTopic.close();
        Path earlier = data.resolve("earlier");
        testTopic = new TestTopic(earlier);
        joinAll();
        propose();
        testTopic.close();
        testTopic = new TestTopic(earlier, "secret: [password]");

        assertThat(testTopic.poll("carol", 0, 0).path("messages").toString())
                .contains("p-1", HIDDEN)
                .doesNotContain(SECRET);
    }

    @Test
    void membersThatReadOnlyWhatInvolvesThemGetMarkersToo() throws Exception {
        testTopic.close();
        testTopic = new TestTopic(data.resolve("involved"), "secret: [password]", "visibility: involved");
        joinAll();
        TestParticipant bob = testTopic.join("bob");
        TestParticipant carol = testTopic.join("carol");
        TestParticipant directed = testTopic.join("search", "&mode=directed");
        propose();
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1").payload(call("/b", HIDDEN)));

        assertThat(password(bob.awaitId("f-1"))).isEqualTo(HIDDEN);
        assertThat(TestParticipant.ids(carol.receivedBefore(alice))).doesNotContain("p-1", "f-1");
        assertThat(TestParticipant.ids(directed.receivedBefore(alice))).doesNotContain("p-1", "f-1");
        assertThat(password(files.awaitId("f-1"))).isEqualTo(quoted(SECRET));
    }

    @Test
    void aCallThatNeedsNoApprovalIsDeliveredAsSent() throws Exception {
        TestParticipant directed = testTopic.join("carol", "&mode=directed");
        TestParticipant listener = testTopic.join("bob");
        alice.send(envelope("c-1", "mcp.request.tools/call:write_file", call("/a", quoted(SECRET)))
                .to("files"));

        assertThat(password(files.awaitId("c-1"))).isEqualTo(quoted(SECRET));
        assertThat(password(listener.awaitId("c-1"))).isEqualTo(quoted(SECRET));
        assertThat(TestParticipant.ids(directed.receivedBefore(alice))).doesNotContain("c-1");
    }
}
