package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests fulfilment: the first request that names an open proposal fulfils it, at most one does, and its addressee must
 * be connected.
 */
class FulfilTest {
    private static final String EDITED =
            "{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"path\":\"/tmp/motd\"}}}";

    @TempDir
    private Path data;

    private TestTopic testTopic;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @Test
    void theFirstRequestThatNamesItFulfilsIt() throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant helper = testTopic.join("helper");
        TestParticipant alice = testTopic.join("alice");
        helper.sendAndAwaitEcho(proposal("p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        assertThat(testTopic.proposal("alice", "p-1").has("outcome")).isFalse();
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        JsonNode request = files.awaitId("f-1");
        assertThat(request.path("from").asString()).isEqualTo("alice");
        assertThat(TestParticipant.about(request)).containsExactly("p-1");
        assertThat(request.path("payload")).isEqualTo(TestEnvelope.JSON.readTree(TestEnvelope.WRITE));
        assertThat(TestParticipant.kind(helper.awaitId("f-1"))).isEqualTo("mcp.request.tools/call:write_file");
        assertThat(testTopic.state("p-1")).isEqualTo("fulfilled");
        assertThat(testTopic.outcome("p-1")).isEqualTo("pending");
    }

    @Test
    void ofManyWhoRaceExactlyOneIsRouted() throws Exception {
        int racers = 8;
        Map<String, String> members = new TreeMap<>(TestTopic.MEMBERS);
        for (int i = 0; i < racers; i++) {
            members.put("racer-" + i, "[\"mcp.request.*\", \"chat.*\"]");
        }
        try (TestTopic track = new TestTopic(data.resolve("track"), members);
                ExecutorService threads = Executors.newFixedThreadPool(2 * racers)) {
            TestParticipant files = track.join("files");
            TestParticipant helper = track.join("helper");
            List<TestParticipant> testParticipants = new ArrayList<>();
            for (int i = 0; i < racers; i++) {
                testParticipants.add(track.join("racer-" + i));
            }
            for (int round = 0; round < 5; round++) {
                String proposal = "p-" + round;
                helper.sendAndAwaitEcho(proposal(proposal));
                CyclicBarrier line = new CyclicBarrier(2 * racers);
                List<Future<String>> results = new ArrayList<>();
                for (int i = 0; i < racers; i++) {
                    TestParticipant testParticipant = testParticipants.get(i);
                    String id = proposal + "-" + i;
                    String racer = "racer-" + i;
                    results.add(threads.submit(() -> {
                        line.await();
                        testParticipant.send(fulfilment(id, proposal));
                        JsonNode answer = testParticipant.next();
                        while (!TestParticipant.id(answer).equals(id)
                                && !TestParticipant.about(answer).contains(id)) {
                            answer = testParticipant.next();
                        }
                        return TestParticipant.id(answer).equals(id)
                                ? "routed"
                                : answer.path("payload").path("error").asString();
                    }));
                    results.add(threads.submit(() -> {
                        line.await();
                        TestTopic.Answer answer = track.post(racer, fulfilment(id + "-posted", proposal));
                        return answer.status() == 202 ? "routed" : answer.code();
                    }));
                }
                List<String> all = new ArrayList<>();
                for (Future<String> result : results) {
                    all.add(result.get());
                }
                assertThat(all).containsOnlyOnce("routed").containsOnly("routed", "already_fulfilled");
                assertThat(files.receivedBefore(helper).stream()
                                .filter(each -> TestParticipant.about(each).contains(proposal)))
                        .hasSize(1);
                assertThat(TestParticipant.texts(
                                track.proposal("helper", proposal).path("timeline"), "event"))
                        .containsOnlyOnce("fulfilled");
            }
        }
    }

    @Test
    void aSecondIsToldThatItIsFulfilledAlready() throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        TestParticipant bob = testTopic.join("bob");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        JsonNode error = bob.sendAndAwaitError(fulfilment("f-2", "p-1"));
        assertThat(error.path("error").asString()).isEqualTo("already_fulfilled");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("fulfilled");
        assertThat(TestParticipant.ids(files.receivedBefore(bob)))
                .contains("f-1")
                .doesNotContain("f-2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            another tool                   | mcp.request.tools/call:read_file | {"method":"tools/call","params":{"name":"read_file"}}
            another tool, context left out | mcp.request.tools/call           | {"method":"tools/call","params":{"name":"read_file"}}
            another method                 | mcp.request.tools/list           | {"method":"tools/list"}
            """)
    void anotherMethodOrContextIsAMismatch(String what, String kind, String payload) throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        JsonNode error = alice.sendAndAwaitError(
                fulfilment("f-1", "p-1").with("kind", kind).payload(payload));
        assertThat(error.path("error").asString()).as(what).isEqualTo("fulfilment_mismatch");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("open");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        assertThat(TestParticipant.ids(files.receivedBefore(alice))).doesNotContain("f-1");
    }

    @ParameterizedTest
    @CsvSource({
        "mcp.proposal.tools/call:write_file, mcp.request.tools/call",
        "mcp.proposal.tools/call, mcp.request.tools/call:write_file",
        "mcp.proposal.tools/call, mcp.request.tools/call"
    })
    void aContextLeftOutIsThePayloads(String proposed, String requested) throws Exception {
        testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1").with("kind", proposed));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1").with("kind", requested));
        assertThat(testTopic.state("p-1")).isEqualTo("fulfilled");
    }

    @Test
    void editedArgumentsAreKeptBesideTheProposed() throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1").payload(EDITED));
        assertThat(files.awaitId("f-1").path("payload")).isEqualTo(TestEnvelope.JSON.readTree(EDITED));
        JsonNode shown = testTopic.proposal("helper", "p-1");
        assertThat(shown.path("payload")).isEqualTo(TestEnvelope.JSON.readTree(TestEnvelope.WRITE));
        JsonNode fulfilled = step(shown, "fulfilled");
        assertThat(fulfilled.path("edited").asBoolean()).isTrue();
        assertThat(fulfilled.path("proposedParams"))
                .isEqualTo(TestEnvelope.JSON.readTree(TestEnvelope.WRITE).path("params"));
        assertThat(fulfilled.path("fulfilledParams"))
                .isEqualTo(TestEnvelope.JSON.readTree(EDITED).path("params"));
    }

    @Test
    void argumentsAsProposedAreNoEdit() throws Exception {
        testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        JsonNode fulfilled = step(testTopic.proposal("helper", "p-1"), "fulfilled");
        assertThat(fulfilled.path("edited").asBoolean()).isFalse();
        assertThat(fulfilled.has("fulfilledParams")).isFalse();
    }

    private static JsonNode step(JsonNode proposal, String event) {
        return proposal.path("timeline").values().stream()
                .filter(step -> step.path("event").asString().equals(event))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            to nobody            | []
            to one who is absent | ["files"]
            to several absent    | ["files","search"]
            to no member         | ["ghost"]
            """)
    void toNobodyWhoIsHereItIsRefusedAndTheProposalStaysOpen(String what, String to) throws Exception {
        TestParticipant alice = testTopic.join("alice");
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        JsonNode error = alice.sendAndAwaitError(fulfilment("f-1", "p-1").with("to", TestEnvelope.JSON.readTree(to)));
        assertThat(error.path("error").asString()).as(what).isEqualTo("unknown_recipient");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        assertThat(TestParticipant.ids(helper.receivedBefore(alice))).doesNotContain("f-1");
        testTopic.join("files");
        alice.sendAndAwaitEcho(fulfilment("f-2", "p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("fulfilled");
    }

    @Test
    void toWhoeverCanWhileNobodyCanItIsRefusedAndTheProposalStaysOpen() throws Exception {
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        TestTopic.Answer answer =
                testTopic.post("alice", fulfilment("f-1", "p-1").to("can:mcp.response.tools/call:write_file"));
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("unknown_recipient");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @Test
    void withoutToItIsRefusedAndSaysWhichProposalStaysOpen() throws Exception {
        testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        JsonNode error = alice.sendAndAwaitError(
                TestEnvelope.envelope("f-1", "mcp.request.tools/call:write_file", TestEnvelope.WRITE)
                        .about("p-1"));
        assertThat(error.path("error").asString()).isEqualTo("unknown_recipient");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("open");
    }

    @Test
    void toSeveralMembersItIsRefused() throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant search = testTopic.join("search");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        JsonNode error = alice.sendAndAwaitError(fulfilment("f-1", "p-1").to("search", "files"));
        assertThat(error.path("error").asString()).isEqualTo("malformed");
        assertThat(error.path("message").asString()).contains("name only the participant that runs the call");
        assertThat(TestParticipant.ids(files.receivedBefore(alice))).doesNotContain("f-1");
        assertThat(TestParticipant.ids(search.receivedBefore(alice))).doesNotContain("f-1");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @Test
    void theIdOfARunningDirectCallCannotFulfilAProposal() throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        alice.send(TestEnvelope.envelope("x-1", "mcp.request.tools/call:write_file", EDITED)
                .to("files"));
        files.awaitId("x-1");
        for (String reviewer : List.of("alice", "bob")) {
            TestTopic.Answer answer = testTopic.post(reviewer, fulfilment("x-1", "p-1"));
            assertThat(answer.code()).as(answer.toString()).isEqualTo("duplicate_id");
        }
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        files.send(TestEnvelope.answer("a-1", "x-1").to("alice"));
        alice.awaitId("a-1");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @Test
    void theIdOfARequestThatFulfilsAProposalCannotBeUsedForADirectCall() throws Exception {
        TestParticipant files = testTopic.join("files");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        assertThat(testTopic.post("alice", fulfilment("x-1", "p-1")).status()).isEqualTo(202);
        files.awaitId("x-1");
        refusesDirectCalls("x-1");
        testTopic.restart();
        // The ledger knows that the call still waits for its answer.
        testTopic.join("files");
        refusesDirectCalls("x-1");
        assertThat(testTopic.outcome("p-1")).isEqualTo("pending");
    }

    private void refusesDirectCalls(String id) throws Exception {
        for (String caller : List.of("alice", "bob")) {
            TestTopic.Answer answer = testTopic.post(
                    caller,
                    TestEnvelope.envelope(id, "mcp.request.tools/call:write_file", EDITED)
                            .to("files"));
            assertThat(answer.code()).as(answer.toString()).isEqualTo("duplicate_id");
        }
    }

    @Test
    void aNameThatIsNoMembersIsToldAndTheOthersStillGetIt() throws Exception {
        TestParticipant files = testTopic.join("files");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        TestTopic.Answer answer =
                testTopic.post("alice", fulfilment("f-1", "p-1").to("ghost", "files"));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(TestParticipant.texts(answer.body().path("errors"), "code")).containsExactly("unknown_recipient");
        assertThat(TestParticipant.id(files.awaitId("f-1"))).isEqualTo("f-1");
    }

    @Test
    void theProposersOwnIsRefused() throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        alice.sendAndAwaitEcho(proposal("p-1"));
        JsonNode error = alice.sendAndAwaitError(fulfilment("f-1", "p-1"));
        assertThat(error.path("error").asString()).isEqualTo("own_proposal");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("open");
        assertThat(TestParticipant.ids(files.receivedBefore(alice))).doesNotContain("f-1");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @Test
    void whereSelfApprovalIsAllowedTheProposersOwnFulfils() throws Exception {
        try (TestTopic trusting = new TestTopic(data.resolve("trusting"), "selfApproval: true")) {
            TestParticipant files = trusting.join("files");
            TestParticipant alice = trusting.join("alice");
            alice.sendAndAwaitEcho(proposal("p-1"));
            alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
            assertThat(TestParticipant.id(files.awaitId("f-1"))).isEqualTo("f-1");
            assertThat(trusting.state("p-1")).isEqualTo("fulfilled");
        }
    }

    @Test
    void whoMayNotSendTheRequestFulfilsNothing() throws Exception {
        testTopic.join("files");
        TestParticipant carol = testTopic.join("carol");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        assertThat(carol.sendAndAwaitError(fulfilment("f-1", "p-1"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @ParameterizedTest
    @CsvSource({"never-sent", "c-1", "q-1", "f-1"})
    void aCorrelationIdThatNamesNoProposalIsUnknown(String about) throws Exception {
        TestParticipant files = testTopic.join("files");
        TestParticipant alice = testTopic.join("alice");
        testTopic.join("helper").sendAndAwaitEcho(proposal("p-1"));
        alice.send(TestEnvelope.chat("c-1"));
        alice.send(TestEnvelope.envelope("q-1", "mcp.request.tools/list", "{\"method\":\"tools/list\"}"));
        alice.sendAndAwaitEcho(fulfilment("f-1", "p-1"));
        JsonNode error = alice.sendAndAwaitError(fulfilment("f-2", about));
        assertThat(error.path("error").asString()).isEqualTo("unknown_proposal");
        assertThat(error.path("proposal").asString()).isEqualTo(about);
        assertThat(TestParticipant.ids(files.receivedBefore(alice))).doesNotContain("f-2");
    }
}
