package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.chat;
import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.impossible;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
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

    private JsonNode let(String who, String... capabilities) throws Exception {
        String list = capabilities.length == 0 ? "" : "\"" + String.join("\",\"", capabilities) + "\"";
        TestTopic.Answer answer =
                testTopic.ask("PUT", "alice", "/topics/ops/members/" + who, "{\"capabilities\":[" + list + "]}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private void takeOut(String who) throws Exception {
        TestTopic.Answer answer = testTopic.ask("DELETE", "alice", "/topics/ops/members/" + who, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body().toString()).isEqualTo("{\"id\":\"" + who + "\"}");
    }

    private static String event(JsonNode presence) {
        return presence.path("payload").path("event").asString();
    }

    @Test
    void moreCapabilitiesCountForTheVeryNextEnvelope() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        TestParticipant bob = testTopic.join("bob");
        assertThat(helper.refused(TestEnvelope.envelope("t-1", "trace.note", "{}"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
        let("helper", "mcp.proposal.*", "chat.*", "trace.*");
        helper.send(TestEnvelope.envelope("t-2", "trace.note", "{}"));
        assertThat(TestParticipant.id(bob.hearId("t-2"))).isEqualTo("t-2");
    }

    @Test
    void fewerCapabilitiesCountForTheVeryNextEnvelope() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        helper.put(proposal("p-1"));
        let("helper", "chat.*");
        JsonNode error = helper.refused(proposal("p-2"));
        assertThat(error.path("error").asString()).isEqualTo("capability_violation");
        assertThat(TestParticipant.texts(error.path("yourCapabilities"))).containsExactly("chat.*");
        assertThat(testTopic.post("helper", proposal("p-3")).code()).isEqualTo("capability_violation");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
    }

    @Test
    void everybodyHearsWhatSomebodyMaySendFromNowOn() throws Exception {
        TestParticipant helper = testTopic.join("helper", "&mode=directed");
        TestParticipant bob = testTopic.join("bob", "&spelling=v0.1");
        let("helper", "chat.*", "mcp.request.tools/call:read_*");
        helper.hear("system.presence");
        for (JsonNode heard : new JsonNode[] {helper.hear("system.presence"), bob.hear("system/presence")}) {
            assertThat(event(heard)).isEqualTo("update");
            JsonNode participant = heard.path("payload").path("participant");
            assertThat(participant.path("id").asString()).isEqualTo("helper");
            assertThat(participant.path("capabilities").path(0).asString().replace('/', '.'))
                    .isEqualTo("chat.*");
        }
        let("helper", "chat.*", "mcp.request.tools/call:read_*");
        let("carol");
        TestParticipant alice = testTopic.join("alice");
        assertThat(TestParticipant.kinds(bob.before(alice))).containsExactly("system/presence");
    }

    @Test
    void aNewMemberComesAtOnceAndCanBeAddressed() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        assertThat(testTopic.knock("mallory", "topic=ops")).isEqualTo(403);
        helper.put(impossible("p-1"));
        helper.hear(UNREACHABLE, "p-1");
        JsonNode member = let("mallory", "mcp.request.resources/*");
        assertThat(member.toString())
                .isEqualTo("{\"id\":\"mallory\",\"capabilities\":[\"mcp.request.resources/*\"],\"here\":false,"
                        + "\"source\":\"run-time\"}");
        TestParticipant mallory = testTopic.join("mallory");
        assertThat(mallory.waiting()).containsExactly("p-1");
        assertThat(helper.hear(REACHABLE, "p-1")
                        .path("payload")
                        .path("couldFulfil")
                        .toString())
                .isEqualTo("[\"mallory\"]");
        helper.send(chat("c-1").to("mallory"));
        mallory.hearId("c-1");
        helper.send(chat("c-2").with("to", TestEnvelope.JSON.readTree("[\"can:mcp.request.resources/read\"]")));
        assertThat(TestParticipant.texts(mallory.hearId("c-2").path("to"))).containsExactly("mallory");
    }

    @Test
    void whoCanNoLongerDoItMakesAProposalUnreachableAndWhoNowCanReachable() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        TestParticipant helper = testTopic.join("helper");
        testTopic.join("carol");
        helper.put(proposal("p-1"));
        let("bob", "chat.*");
        assertThat(helper.hear(UNREACHABLE, "p-1")
                        .path("payload")
                        .path("couldFulfil")
                        .toString())
                .isEqualTo("[\"alice\"]");
        assertThat(testTopic.state("p-1")).isEqualTo("open");
        assertThat(bob.refused(fulfilment("r-1", "p-1")).path("error").asString())
                .isEqualTo("capability_violation");
        let("carol", "mcp.request.tools/*");
        assertThat(helper.hear(REACHABLE, "p-1")
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
        let("bob", "chat.*");
        Set<String> told = new HashSet<>();
        while (told.size() < 450) {
            told.addAll(TestParticipant.about(helper.hear(UNREACHABLE)));
        }
        assertThat(TestParticipant.kinds(helper.before(bob))).doesNotContain(UNREACHABLE);
    }

    @Test
    void whoConnectsWhileTheyAreTakenOutDoesNotSlipThrough() throws Exception {
        try (ExecutorService aside = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 30; i++) {
                let("bob", "chat.*");
                Future<TestTopic.Answer> out =
                        aside.submit(() -> testTopic.ask("DELETE", "alice", "/topics/ops/members/bob", ""));
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
        helper.hear("system.presence");
        assertThat(event(helper.hear("system.presence"))).isEqualTo("leave");
        other.send(chat("c-1"));
        elsewhere.hearId("c-1");
        assertThat(testTopic.knock("bob", "topic=ops")).isEqualTo(403);
        assertThat(testTopic.post("bob", chat("c-2")).code()).isEqualTo("not_a_member");
        assertThat(helper.refused(chat("c-3").to("bob")).path("error").asString())
                .isEqualTo("unknown_recipient");
        assertThat(testTopic
                        .ask("DELETE", "alice", "/topics/ops/members/bob", "")
                        .code())
                .isEqualTo("not_a_member");
    }

    @Test
    void whoIsTakenOutWhilePollingIsToldSo() throws Exception {
        TestParticipant helper = testTopic.join("helper");
        try (ExecutorService aside = Executors.newSingleThreadExecutor()) {
            Future<TestTopic.Answer> poll = aside.submit(() -> testTopic.get("bob", "/topics/ops/messages?wait=50"));
            helper.hear("system.presence");
            takeOut("bob");
            assertThat(poll.get().status()).isEqualTo(403);
            assertThat(poll.get().code()).isEqualTo("not_a_member");
        }
        assertThat(event(helper.hear("system.presence"))).isEqualTo("leave");
        let("bob", "chat.*");
        testTopic.poll("bob", 0, 0);
        assertThat(event(helper.hear("system.presence"))).isEqualTo("join");
    }

    @Test
    void whatWasSettledSurvivesARestartAndAResetGoesBack() throws Exception {
        let("mallory", "chat.*");
        let("helper", "chat.*");
        takeOut("bob");
        testTopic.restart();
        assertThat(testTopic.knock("bob", "topic=ops")).isEqualTo(403);
        TestParticipant helper = testTopic.join("helper");
        assertThat(helper.refused(proposal("p-1")).path("error").asString()).isEqualTo("capability_violation");
        testTopic.join("mallory");
        for (String who : new String[] {"bob", "helper", "mallory"}) {
            TestTopic.Answer answer = testTopic.ask("POST", "alice", "/topics/ops/members/" + who + "/reset", "");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body().path("source").asString()).isEqualTo(who.equals("mallory") ? "" : "configuration");
        }
        helper.put(proposal("p-2"));
        assertThat(testTopic.knock("bob", "topic=ops")).isEqualTo(101);
        assertThat(testTopic.knock("mallory", "topic=ops")).isEqualTo(403);
        testTopic.restart();
        assertThat(testTopic.knock("bob", "topic=ops")).isEqualTo(101);
    }

    @Test
    void membersAndAdminsSeeWhoIsAMember() throws Exception {
        testTopic.join("helper");
        let("mallory", "chat.*");
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
        assertThat(testTopic.ask("PUT", "alice", path + "bob", "{}").code()).isEqualTo("bad_capability");
        assertThat(testTopic.ask("PUT", "alice", path + "bob", "[]").code()).isEqualTo("bad_body");
        assertThat(testTopic
                        .ask("PUT", "alice", path + "stranger", "{\"capabilities\":[]}")
                        .code())
                .isEqualTo("unknown_identity");
        assertThat(testTopic
                        .ask("PUT", "alice", path + "a%20b", "{\"capabilities\":[]}")
                        .code())
                .isEqualTo("bad_name");
        assertThat(testTopic.ask("DELETE", "alice", path + "stranger", "").code())
                .isEqualTo("not_a_member");
        assertThat(testTopic.ask("POST", "alice", path + "stranger/reset", "").code())
                .isEqualTo("unknown_identity");
    }
}
