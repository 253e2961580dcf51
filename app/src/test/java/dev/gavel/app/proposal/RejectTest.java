package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.rejection;
import static dev.gavel.app.proposal.TestEnvelope.unfulfillable;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests rejection: whose rejection closes a proposal, whose is only recorded, and what all participants receive. */
class RejectTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        helper = testTopic.join("helper", "&mode=directed");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy", "incapable", "resource_limit"})
    void anAbstentionSpeaksForItsSenderAlone(String reason) throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        testTopic.join("alice").sendAndAwaitEcho(rejection("r-1", reason, "p-1"));
        assertThat(helper.awaitId("r-1").path("payload").path("reason").asString())
                .isEqualTo(reason);
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policy",
                "unsafe",
                "disagree",
                "inappropriate",
                "duplicate",
                "invalid",
                "unspecified",
                "not on a Friday",
                "Busy"
            })
    void anyOtherReasonIsAVeto(String reason) throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        testTopic.join("alice").sendAndAwaitEcho(rejection("r-1", reason, "p-1"));
        JsonNode notice = helper.await("system.proposal.rejected", "p-1");
        assertThat(notice.path("payload").path("reasons").toString())
                .isEqualTo("[{\"from\":\"alice\",\"reason\":\"" + reason + "\"}]");
        assertThat(testTopic.state("p-1")).isEqualTo("rejected");
    }

    @Test
    void noReasonMeansUnspecifiedWhichIsAVeto() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        testTopic
                .join("alice")
                .sendAndAwaitEcho(TestEnvelope.envelope("r-1", "mcpx.reject.proposal", "{}")
                        .about("p-1"));
        JsonNode notice = helper.await("system.proposal.rejected", "p-1");
        assertThat(TestParticipant.texts(notice.path("payload").path("reasons"), "reason"))
                .containsExactly("unspecified");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            one who could fulfil it                            | alice | []                | rejected
            another who could                                  | bob   | []                | rejected
            one who could, though others are asked             | alice | ["bob"]           | rejected
            a target who could                                 | bob   | ["bob"]           | rejected
            a target who may only reject                       | carol | ["carol"]         | rejected
            a target among others                              | carol | ["alice","carol"] | rejected
            one who may reject but is neither                  | carol | []                | open
            one who is neither, others being asked             | carol | ["bob"]           | open
            one who is neither, to where it is to run          | carol | ["files"]         | open
            one who could, to where it is to run               | bob   | ["files"]         | rejected
            """)
    void aVetoOfOneWhoCouldOrOfATargetClosesIt(String who, String from, String to, String state) throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1").with("to", TestEnvelope.JSON.readTree(to)));
        testTopic.join(from).sendAndAwaitEcho(rejection("r-1", "policy", "p-1"));
        assertThat(testTopic.state("p-1")).as(who).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            the only target                            | ["bob"]            | bob            | rejected
            the only target, being one who may reject  | ["carol"]          | carol          | rejected
            one of two targets                         | ["alice","bob"]    | alice          | open
            one of two targets twice                   | ["alice","bob"]    | alice alice    | open
            both targets                               | ["alice","bob"]    | alice bob      | rejected
            both, one being no reviewer                | ["bob","carol"]    | carol bob      | rejected
            the target, the other being only a place   | ["bob","files"]    | bob            | rejected
            others than the target                     | ["bob"]            | alice carol    | open
            one of those who could, there is no target | []                 | alice          | open
            all who could, there is no target          | []                 | alice bob      | rejected
            all who could and another                  | []                 | carol alice bob | rejected
            all who could, to a mere place             | ["files"]          | bob alice      | rejected
            nobody who could                           | []                 | carol          | open
            """)
    void everybodysAbstentionClosesIt(String who, String to, String rejecting, String state) throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1").with("to", TestEnvelope.JSON.readTree(to)));
        int count = 0;
        for (String each : rejecting.split(" ", -1)) {
            TestParticipant testParticipant = testTopic.join(each);
            testParticipant.sendAndAwaitEcho(rejection("r-" + count++, "busy", "p-1"));
        }
        assertThat(testTopic.state("p-1")).as(who).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            one veto of two who could      | []              | alice       | open
            both who could                 | []              | alice bob   | rejected
            one who could beside a target  | ["bob"]         | alice       | open
            the target                     | ["bob"]         | bob         | rejected
            one of two targets             | ["bob","carol"] | carol       | open
            both targets                   | ["bob","carol"] | carol bob   | rejected
            """)
    void whereRejectionTakesAllAVetoAloneClosesNothing(String who, String to, String rejecting, String state)
            throws Exception {
        try (TestTopic patient = new TestTopic(data.resolve("patient"), "rejection: all")) {
            patient.join("helper").sendAndAwaitEcho(proposal("p-1").with("to", TestEnvelope.JSON.readTree(to)));
            int count = 0;
            for (String each : rejecting.split(" ", -1)) {
                patient.join(each).sendAndAwaitEcho(rejection("r-" + count++, "policy", "p-1"));
            }
            assertThat(patient.state("p-1")).as(who).isEqualTo(state);
        }
    }

    @Test
    void aMemberWithoutAValidTokenIsNotWaitedFor() throws Exception {
        try (TestTopic patient = new TestTopic(data.resolve("patient"), "rejection: all")) {
            TestParticipant proposer = patient.join("helper");
            proposer.sendAndAwaitEcho(proposal("p-1"));
            assertThat(waitingOn(patient, "p-1")).contains("alice", "bob");
            assertThat(patient.sendRequest("DELETE", "alice", "/tokens/bob", "").status())
                    .isEqualTo(200);
            assertThat(waitingOn(patient, "p-1")).contains("alice").doesNotContain("bob");
            proposer.sendAndAwaitEcho(proposal("p-2"));
            assertThat(waitingOn(patient, "p-2")).doesNotContain("bob");
            patient.join("alice").sendAndAwaitEcho(rejection("r-1", "policy", "p-1"));
            assertThat(patient.state("p-1")).isEqualTo("rejected");
            assertThat(patient.sendRequest("POST", "alice", "/tokens", "{\"name\":\"bob\"}")
                            .status())
                    .isEqualTo(201);
            assertThat(patient.sendRequest(
                                    "PUT",
                                    "alice",
                                    "/topics/ops/members/bob",
                                    "{\"capabilities\":[\"mcp.request.tools/*\"]}")
                            .status())
                    .isEqualTo(200);
            assertThat(waitingOn(patient, "p-2")).contains("bob");
        }
    }

    private static String waitingOn(TestTopic topic, String id) throws Exception {
        return topic.proposal("helper", id).path("guidance").toString();
    }

    @Test
    void othersRejectionsAreHeardAndRecorded() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1"));
        testTopic
                .join("carol")
                .sendAndAwaitEcho(rejection("r-1", "unsafe", "p-1").payload("note", "it is /etc"));
        assertThat(helper.awaitId("r-1").path("payload").path("note").asString())
                .isEqualTo("it is /etc");
        JsonNode shown = testTopic.proposal("helper", "p-1");
        assertThat(shown.path("state").asString()).isEqualTo("open");
        assertThat(shown.path("reasons").toString())
                .isEqualTo("[{\"from\":\"carol\",\"reason\":\"unsafe\",\"note\":\"it is /etc\"}]");
    }

    @Test
    void whereNobodyCouldFulfilItNoRejectionClosesIt() throws Exception {
        helper.sendAndAwaitEcho(unfulfillable("p-1"));
        testTopic.join("carol").sendAndAwaitEcho(rejection("r-1", "policy", "p-1"));
        testTopic.join("alice").sendAndAwaitEcho(rejection("r-2", "policy", "p-1"));
        testTopic.join("bob").sendAndAwaitEcho(rejection("r-3", "busy", "p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        assertThat(TestParticipant.texts(testTopic.proposal("helper", "p-1").path("reasons"), "from"))
                .containsExactly("carol", "alice", "bob");
    }

    @Test
    void whereNobodyCouldFulfilItATargetStillCloses() throws Exception {
        helper.sendAndAwaitEcho(unfulfillable("p-1").to("carol"));
        testTopic.join("carol").sendAndAwaitEcho(rejection("r-1", "busy", "p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("rejected");
    }

    @Test
    void theProposersOwnRejectionClosesNothing() throws Exception {
        TestParticipant alice = testTopic.join("alice");
        alice.sendAndAwaitEcho(proposal("p-1").to("alice"));
        alice.sendAndAwaitEcho(rejection("r-1", "policy", "p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        testTopic.join("bob").sendAndAwaitEcho(rejection("r-2", "busy", "p-1"));
        assertThat(testTopic.state("p-1")).isEqualTo("rejected");
    }

    @Test
    void whoMayOnlyDoItWithOtherArgumentsCouldNotFulfilIt() throws Exception {
        Map<String, String> members = new LinkedHashMap<>(TestTopic.MEMBERS);
        members.put(
                "erin",
                "[\"mcpx.reject.proposal\", {kind: mcp.request.tools/call, payload: {params: {arguments: {path: \"/tmp/*\"}}}}]");
        try (TestTopic careful = new TestTopic(data.resolve("careful"), members)) {
            TestParticipant proposer = careful.join("helper");
            proposer.sendAndAwaitEcho(proposal("etc"));
            proposer.sendAndAwaitEcho(proposal("tmp").payload(TestEnvelope.WRITE.replace("/etc/motd", "/tmp/motd")));
            careful.join("erin").sendAndAwaitEcho(rejection("r-1", "policy", "etc", "tmp"));
            assertThat(careful.state("etc")).isEqualTo("open");
            assertThat(careful.state("tmp")).isEqualTo("rejected");
        }
    }

    @Test
    void everyRejectionReachesTheProposerAtOnceWhomeverItIsAddressedTo() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        helper.sendAndAwaitEcho(proposal("p-1"));
        bob.sendAndAwaitEcho(rejection("r-1", "busy", "p-1").to("carol"));
        assertThat(TestParticipant.ids(helper.receivedBefore(bob))).contains("r-1");
    }

    @Test
    void rejectingGivesNoRightToExecute() throws Exception {
        testTopic.join("files");
        TestParticipant carol = testTopic.join("carol");
        helper.sendAndAwaitEcho(proposal("p-1").to("carol"));
        carol.sendAndAwaitEcho(rejection("r-1", "busy", "p-1"));
        assertThat(carol.sendAndAwaitError(fulfilment("f-1", "p-1"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
    }

    @Test
    void closedByRejectionsEverybodyIsToldEveryReason() throws Exception {
        TestParticipant files = testTopic.join("files", "&mode=directed");
        TestParticipant alice = testTopic.join("alice");
        TestParticipant bob = testTopic.join("bob");
        TestParticipant carol = testTopic.join("carol");
        helper.sendAndAwaitEcho(proposal("p-1"));
        carol.sendAndAwaitEcho(rejection("r-1", "unsafe", "p-1"));
        alice.sendAndAwaitEcho(rejection("r-2", "busy", "p-1").payload("note", "until noon"));
        bob.sendAndAwaitEcho(rejection("r-3", "incapable", "p-1"));
        for (TestParticipant testParticipant : List.of(files, alice, bob, carol, helper)) {
            JsonNode notice = testParticipant.await("system.proposal.rejected", "p-1");
            assertThat(notice.path("from").asString()).isEqualTo("system:gateway");
            assertThat(notice.path("correlationId").asString()).isEqualTo("p-1");
            assertThat(TestParticipant.id(notice)).startsWith("system:event-");
            assertThat(notice.path("payload").path("reasons").toString())
                    .isEqualTo("[{\"from\":\"carol\",\"reason\":\"unsafe\"},"
                            + "{\"from\":\"alice\",\"reason\":\"busy\",\"note\":\"until noon\"},"
                            + "{\"from\":\"bob\",\"reason\":\"incapable\"}]");
        }
        assertThat(TestParticipant.texts(testTopic.proposal("bob", "p-1").path("reasons"), "from"))
                .containsExactly("carol", "alice", "bob");
    }

    @Test
    void whoHasNotTheCapabilityMayNotReject() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1").to("files"));
        assertThat(testTopic
                        .join("files")
                        .sendAndAwaitError(rejection("r-1", "policy", "p-1"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
    }

    @Test
    void whatNobodyProposedIsUnknown() throws Exception {
        JsonNode error = testTopic.join("bob").sendAndAwaitError(rejection("r-1", "policy", "p-9"));
        assertThat(error.path("error").asString()).isEqualTo("unknown_proposal");
        assertThat(error.path("proposal").asString()).isEqualTo("p-9");
    }
}
