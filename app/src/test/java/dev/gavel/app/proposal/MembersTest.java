package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.chat;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static dev.gavel.app.proposal.TestEnvelope.unfulfillable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests changes to a topic's members and their capabilities while they are connected. */
@Timeout(60)
class MembersTest {
    private static final String UNREACHABLE = "system.proposal.unreachable";
    private static final String REACHABLE = "system.proposal.reachable";

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

    private JsonNode setCapabilities(String identity, String... capabilities) throws Exception {
        String list = capabilities.length == 0 ? "" : "\"" + String.join("\",\"", capabilities) + "\"";
        TestTopic.Answer answer = testTopic.sendRequest(
                "PUT", "alice", "/topics/ops/members/" + identity, "{\"capabilities\":[" + list + "]}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private void takeOut(String identity) throws Exception {
        TestTopic.Answer answer = testTopic.sendRequest("DELETE", "alice", "/topics/ops/members/" + identity, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body().toString()).isEqualTo("{\"id\":\"" + identity + "\"}");
    }

    private static String event(JsonNode presence) {
        return presence.path("payload").path("event").asString();
    }

    @Test
    void moreCapabilitiesCountForTheVeryNextEnvelope() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        TestParticipant bob = testTopic.join("bob");
        assertThat(helper.sendAndAwaitError(TestEnvelope.envelope("t-1", "trace.note", "{}"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
        setCapabilities("helper", "mcp.proposal.*", "chat.*", "trace.*");
        helper.send(TestEnvelope.envelope("t-2", "trace.note", "{}"));
        assertThat(TestParticipant.id(bob.awaitId("t-2"))).isEqualTo("t-2");
    }

    @Test
    void fewerCapabilitiesCountForTheVeryNextEnvelope() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        helper.sendAndAwaitEcho(proposal("p-1"));
        setCapabilities("helper", "chat.*");
        JsonNode error = helper.sendAndAwaitError(proposal("p-2"));
        assertThat(error.path("error").asString()).isEqualTo("capability_violation");
        assertThat(TestParticipant.texts(error.path("yourCapabilities"))).containsExactly("chat.*");
        assertThat(testTopic.post("helper", proposal("p-3")).code()).isEqualTo("capability_violation");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @Test
    void everybodyHearsWhatSomebodyMaySendFromNowOn() throws Exception {
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        TestParticipant bob = testTopic.join("bob", "&spelling=v0.1");
        setCapabilities("helper", "chat.*", "mcp.request.tools/call:read_*");
        helper.await("system.presence");
        for (JsonNode heard : new JsonNode[] {helper.await("system.presence"), bob.await("system/presence")}) {
            assertThat(event(heard)).isEqualTo("update");
            JsonNode participant = heard.path("payload").path("participant");
            assertThat(participant.path("id").asString()).isEqualTo("helper");
            assertThat(participant.path("capabilities").path(0).asString().replace('/', '.'))
                    .isEqualTo("chat.*");
        }
        setCapabilities("helper", "chat.*", "mcp.request.tools/call:read_*");
        setCapabilities("carol");
        TestParticipant alice = testTopic.join("alice");
        assertThat(TestParticipant.kinds(bob.receivedBefore(alice))).containsExactly("system/presence");
    }

    @Test
    void aNewMemberComesAtOnceAndCanBeAddressed() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        assertThat(testTopic.handshakeStatus("mallory", "topic=ops")).isEqualTo(403);
        helper.sendAndAwaitEcho(unfulfillable("p-1"));
        helper.await(UNREACHABLE, "p-1");
        JsonNode member = setCapabilities("mallory", "mcp.request.resources/*");
        assertThat(member.toString())
                .isEqualTo("{\"id\":\"mallory\",\"capabilities\":[\"mcp.request.resources/*\"],\"here\":false,"
                        + "\"source\":\"run-time\"}");
        TestParticipant mallory = testTopic.join("mallory");
        assertThat(mallory.openProposals()).containsExactly("p-1");
        assertThat(helper.await(REACHABLE, "p-1")
                        .path("payload")
                        .path("couldFulfil")
                        .toString())
                .isEqualTo("[\"mallory\"]");
        helper.send(chat("c-1").to("mallory"));
        mallory.awaitId("c-1");
        helper.send(chat("c-2").with("to", TestEnvelope.JSON.readTree("[\"can:mcp.request.resources/read\"]")));
        assertThat(TestParticipant.texts(mallory.awaitId("c-2").path("to"))).containsExactly("mallory");
    }

    @Test
    void whoCanNoLongerDoItMakesAProposalUnreachableAndWhoNowCanReachable() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        TestParticipant helper = testTopic.join("helper");
        testTopic.join("carol");
        helper.sendAndAwaitEcho(proposal("p-1"));
        setCapabilities("bob", "chat.*");
        assertThat(helper.await(UNREACHABLE, "p-1")
                        .path("payload")
                        .path("couldFulfil")
                        .toString())
                .isEqualTo("[\"alice\"]");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        assertThat(bob.sendAndAwaitError(fulfilment("r-1", "p-1")).path("error").asString())
                .isEqualTo("capability_violation");
        setCapabilities("carol", "mcp.request.tools/*");
        assertThat(helper.await(REACHABLE, "p-1")
                        .path("payload")
                        .path("couldFulfil")
                        .toString())
                .isEqualTo("[\"carol\"]");
        assertThat(TestParticipant.texts(
                        testTopic.proposal("helper", "p-1").path("guidance").path("mustAct"), "who"))
                .containsExactly("carol");
    }

    @Test
    void manyProposalsAllFollowAlsoThoseMadeInTheSameMoment() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        TestParticipant helper = testTopic.join("helper");
        for (int i = 0; i < 450; i++) {
            helper.send(proposal("p-" + i));
        }
        setCapabilities("bob", "chat.*");
        Set<String> notified = new HashSet<>();
        while (notified.size() < 450) {
            notified.addAll(TestParticipant.about(helper.await(UNREACHABLE)));
        }
        assertThat(TestParticipant.kinds(helper.receivedBefore(bob))).doesNotContain(UNREACHABLE);
    }

    @Test
    void whoConnectsWhileTheyAreTakenOutDoesNotSlipThrough() throws Exception {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 30; i++) {
                setCapabilities("bob", "chat.*");
                Future<TestTopic.Answer> out =
                        executor.submit(() -> testTopic.sendRequest("DELETE", "alice", "/topics/ops/members/bob", ""));
                try (TestSocket socket = testTopic.open("bob", "topic=ops")) {
                    if (socket.status() == 101) {
                        assertThat(socket.closeCode()).isEqualTo(4003);
                    } else {
                        assertThat(socket.status()).isEqualTo(403);
                    }
                }
                assertThat(out.get().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void whoIsTakenOutIsClosedInThatTopicAlone() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        TestParticipant bob = testTopic.join("bob");
        TestParticipant elsewhere = testTopic.joinTopic("bob", "plain", "");
        TestParticipant other = testTopic.joinTopic("alice", "plain", "");
        takeOut("bob");
        assertThat(bob.closeCode()).isEqualTo(4003);
        helper.await("system.presence");
        assertThat(event(helper.await("system.presence"))).isEqualTo("leave");
        other.send(chat("c-1"));
        elsewhere.awaitId("c-1");
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(403);
        assertThat(testTopic.post("bob", chat("c-2")).code()).isEqualTo("not_a_member");
        assertThat(helper.sendAndAwaitError(chat("c-3").to("bob")).path("error").asString())
                .isEqualTo("unknown_recipient");
        assertThat(testTopic
                        .sendRequest("DELETE", "alice", "/topics/ops/members/bob", "")
                        .code())
                .isEqualTo("not_a_member");
    }

    @Test
    void whoIsTakenOutWhilePollingIsToldSo() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<TestTopic.Answer> poll = executor.submit(() -> testTopic.get("bob", "/topics/ops/messages?wait=50"));
            helper.await("system.presence");
            takeOut("bob");
            assertThat(poll.get().status()).isEqualTo(403);
            assertThat(poll.get().code()).isEqualTo("not_a_member");
        }
        assertThat(event(helper.await("system.presence"))).isEqualTo("leave");
        setCapabilities("bob", "chat.*");
        testTopic.poll("bob", 0, 0);
        assertThat(event(helper.await("system.presence"))).isEqualTo("join");
    }

    @Test
    void whatWasSettledSurvivesARestartAndAResetGoesBack() throws Exception {
        setCapabilities("mallory", "chat.*");
        setCapabilities("helper", "chat.*");
        takeOut("bob");
        testTopic.restart();
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(403);
        TestParticipant helper = testTopic.join("helper");
        assertThat(helper.sendAndAwaitError(proposal("p-1")).path("error").asString())
                .isEqualTo("capability_violation");
        testTopic.join("mallory");
        for (String identity : new String[] {"bob", "helper", "mallory"}) {
            TestTopic.Answer answer =
                    testTopic.sendRequest("POST", "alice", "/topics/ops/members/" + identity + "/reset", "");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body().path("source").asString())
                    .isEqualTo(identity.equals("mallory") ? "" : "configuration");
        }
        helper.sendAndAwaitEcho(proposal("p-2"));
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(101);
        assertThat(testTopic.handshakeStatus("mallory", "topic=ops")).isEqualTo(403);
        testTopic.restart();
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(101);
    }

    @Test
    void membersAndAdminsSeeWhoIsAMember() throws Exception {
        testTopic.join("helper");
        setCapabilities("mallory", "chat.*");
        JsonNode members = testTopic.get("carol", "/topics/ops/members").body().path("members");
        assertThat(TestParticipant.texts(members, "id"))
                .containsExactly("alice", "bob", "carol", "helper", "files", "search", "mallory");
        assertThat(members.path(3).path("here").asBoolean()).isTrue();
        assertThat(members.path(0).path("here").asBoolean()).isFalse();
        assertThat(members.path(0).path("source").asString()).isEqualTo("configuration");
        takeOut("mallory");
        assertThat(testTopic.get("mallory", "/topics/ops/members").code()).isEqualTo("not_a_member");
        assertThat(testTopic.get("alice", "/topics/nowhere/members").code()).isEqualTo("no_such_topic");
        assertThat(testTopic.get("alice", "/topics/No/members").code()).isEqualTo("bad_topic");
    }

    @Test
    void whatIsWrongWithARequestIsSaid() throws Exception {
        String path = "/topics/ops/members/";
        assertThat(testTopic.sendRequest("PUT", "alice", path + "bob", "{}").code())
                .isEqualTo("bad_capability");
        assertThat(testTopic.sendRequest("PUT", "alice", path + "bob", "[]").code())
                .isEqualTo("bad_body");
        assertThat(testTopic
                        .sendRequest("PUT", "alice", path + "stranger", "{\"capabilities\":[]}")
                        .code())
                .isEqualTo("unknown_identity");
        assertThat(testTopic
                        .sendRequest("PUT", "alice", path + "a%20b", "{\"capabilities\":[]}")
                        .code())
                .isEqualTo("bad_name");
        assertThat(testTopic
                        .sendRequest("DELETE", "alice", path + "stranger", "")
                        .code())
                .isEqualTo("not_a_member");
        assertThat(testTopic
                        .sendRequest("POST", "alice", path + "stranger/reset", "")
                        .code())
                .isEqualTo("unknown_identity");
    }
}
