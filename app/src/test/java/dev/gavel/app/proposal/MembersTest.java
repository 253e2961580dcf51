package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.Draft.chat;
import static dev.gavel.app.proposal.Draft.fulfilment;
import static dev.gavel.app.proposal.Draft.impossible;
import static dev.gavel.app.proposal.Draft.proposal;
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

/** Who is a member of a topic and what they may send, changed while they are connected. */
@Timeout(60)
class MembersTest {
    private static final String UNREACHABLE = "system.proposal.unreachable";
    private static final String REACHABLE = "system.proposal.reachable";

    @TempDir
    private Path data;

    private Room room;

    @BeforeEach
    void open() throws IOException {
        room = new Room(data.resolve("room"));
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    private JsonNode let(String who, String... capabilities) throws Exception {
        String list = capabilities.length == 0 ? "" : "\"" + String.join("\",\"", capabilities) + "\"";
        Room.Answer answer =
                room.ask("PUT", "alice", "/topics/ops/members/" + who, "{\"capabilities\":[" + list + "]}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private void takeOut(String who) throws Exception {
        Room.Answer answer = room.ask("DELETE", "alice", "/topics/ops/members/" + who, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body().toString()).isEqualTo("{\"id\":\"" + who + "\"}");
    }

    private static String event(JsonNode presence) {
        return presence.path("payload").path("event").asString();
    }

    @Test
    void moreCapabilitiesCountForTheVeryNextEnvelope() throws Exception {
        Seat helper = room.join("helper");
        Seat bob = room.join("bob");
        assertThat(helper.refused(Draft.envelope("t-1", "trace.note", "{}"))
                        .path("error")
                        .asString())
                .isEqualTo("capability_violation");
        let("helper", "mcp.proposal.*", "chat.*", "trace.*");
        helper.send(Draft.envelope("t-2", "trace.note", "{}"));
        assertThat(Seat.id(bob.hearId("t-2"))).isEqualTo("t-2");
    }

    @Test
    void fewerCapabilitiesCountForTheVeryNextEnvelope() throws Exception {
        Seat helper = room.join("helper");
        helper.put(proposal("p-1"));
        let("helper", "chat.*");
        JsonNode error = helper.refused(proposal("p-2"));
        assertThat(error.path("error").asString()).isEqualTo("capability_violation");
        assertThat(Seat.texts(error.path("yourCapabilities"))).containsExactly("chat.*");
        assertThat(room.post("helper", proposal("p-3")).code()).isEqualTo("capability_violation");
        assertThat(room.state("p-1")).isEqualTo("open");
    }

    @Test
    void everybodyHearsWhatSomebodyMaySendFromNowOn() throws Exception {
        Seat helper = room.join("helper", "&mode=directed");
        Seat bob = room.join("bob", "&spelling=v0.1");
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
        Seat alice = room.join("alice");
        assertThat(Seat.kinds(bob.before(alice))).containsExactly("system/presence");
    }

    @Test
    void aNewMemberComesAtOnceAndCanBeAddressed() throws Exception {
        Seat helper = room.join("helper");
        assertThat(room.knock("mallory", "topic=ops")).isEqualTo(403);
        helper.put(impossible("p-1"));
        helper.hear(UNREACHABLE, "p-1");
        JsonNode member = let("mallory", "mcp.request.resources/*");
        assertThat(member.toString())
                .isEqualTo("{\"id\":\"mallory\",\"capabilities\":[\"mcp.request.resources/*\"],\"here\":false,"
                        + "\"source\":\"run-time\"}");
        Seat mallory = room.join("mallory");
        assertThat(mallory.waiting()).containsExactly("p-1");
        assertThat(helper.hear(REACHABLE, "p-1")
                        .path("payload")
                        .path("couldFulfil")
                        .toString())
                .isEqualTo("[\"mallory\"]");
        helper.send(chat("c-1").to("mallory"));
        mallory.hearId("c-1");
        helper.send(chat("c-2").with("to", Draft.JSON.readTree("[\"can:mcp.request.resources/read\"]")));
        assertThat(Seat.texts(mallory.hearId("c-2").path("to"))).containsExactly("mallory");
    }

    @Test
    void whoCanNoLongerDoItMakesAProposalUnreachableAndWhoNowCanReachable() throws Exception {
        Seat bob = room.join("bob");
        Seat helper = room.join("helper");
        room.join("carol");
        helper.put(proposal("p-1"));
        let("bob", "chat.*");
        assertThat(helper.hear(UNREACHABLE, "p-1")
                        .path("payload")
                        .path("couldFulfil")
                        .toString())
                .isEqualTo("[\"alice\"]");
        assertThat(room.state("p-1")).isEqualTo("open");
        assertThat(bob.refused(fulfilment("r-1", "p-1")).path("error").asString())
                .isEqualTo("capability_violation");
        let("carol", "mcp.request.tools/*");
        assertThat(helper.hear(REACHABLE, "p-1")
                        .path("payload")
                        .path("couldFulfil")
                        .toString())
                .isEqualTo("[\"carol\"]");
        assertThat(Seat.texts(room.proposal("helper", "p-1").path("guidance").path("mustAct"), "who"))
                .containsExactly("carol");
    }

    @Test
    void manyProposalsAllFollowAlsoThoseMadeInTheSameMoment() throws Exception {
        Seat bob = room.join("bob");
        Seat helper = room.join("helper");
        for (int i = 0; i < 450; i++) {
            helper.send(proposal("p-" + i));
        }
        let("bob", "chat.*");
        Set<String> told = new HashSet<>();
        while (told.size() < 450) {
            told.addAll(Seat.about(helper.hear(UNREACHABLE)));
        }
        assertThat(Seat.kinds(helper.before(bob))).doesNotContain(UNREACHABLE);
    }

    @Test
    void whoConnectsWhileTheyAreTakenOutDoesNotSlipThrough() throws Exception {
        try (ExecutorService aside = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 30; i++) {
                let("bob", "chat.*");
                Future<Room.Answer> out =
                        aside.submit(() -> room.ask("DELETE", "alice", "/topics/ops/members/bob", ""));
                try (TestSocket socket = room.open("bob", "topic=ops")) {
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
        Seat helper = room.join("helper");
        Seat bob = room.join("bob");
        Seat elsewhere = room.joinTopic("bob", "plain", "");
        Seat other = room.joinTopic("alice", "plain", "");
        takeOut("bob");
        assertThat(bob.closeCode()).isEqualTo(4003);
        helper.hear("system.presence");
        assertThat(event(helper.hear("system.presence"))).isEqualTo("leave");
        other.send(chat("c-1"));
        elsewhere.hearId("c-1");
        assertThat(room.knock("bob", "topic=ops")).isEqualTo(403);
        assertThat(room.post("bob", chat("c-2")).code()).isEqualTo("not_a_member");
        assertThat(helper.refused(chat("c-3").to("bob")).path("error").asString())
                .isEqualTo("unknown_recipient");
        assertThat(room.ask("DELETE", "alice", "/topics/ops/members/bob", "").code())
                .isEqualTo("not_a_member");
    }

    @Test
    void whoIsTakenOutWhilePollingIsToldSo() throws Exception {
        Seat helper = room.join("helper");
        try (ExecutorService aside = Executors.newSingleThreadExecutor()) {
            Future<Room.Answer> poll = aside.submit(() -> room.get("bob", "/topics/ops/messages?wait=50"));
            helper.hear("system.presence");
            takeOut("bob");
            assertThat(poll.get().status()).isEqualTo(403);
            assertThat(poll.get().code()).isEqualTo("not_a_member");
        }
        assertThat(event(helper.hear("system.presence"))).isEqualTo("leave");
        let("bob", "chat.*");
        room.poll("bob", 0, 0);
        assertThat(event(helper.hear("system.presence"))).isEqualTo("join");
    }

    @Test
    void whatWasSettledSurvivesARestartAndAResetGoesBack() throws Exception {
        let("mallory", "chat.*");
        let("helper", "chat.*");
        takeOut("bob");
        room.restart();
        assertThat(room.knock("bob", "topic=ops")).isEqualTo(403);
        Seat helper = room.join("helper");
        assertThat(helper.refused(proposal("p-1")).path("error").asString()).isEqualTo("capability_violation");
        room.join("mallory");
        for (String who : new String[] {"bob", "helper", "mallory"}) {
            Room.Answer answer = room.ask("POST", "alice", "/topics/ops/members/" + who + "/reset", "");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body().path("source").asString()).isEqualTo(who.equals("mallory") ? "" : "configuration");
        }
        helper.put(proposal("p-2"));
        assertThat(room.knock("bob", "topic=ops")).isEqualTo(101);
        assertThat(room.knock("mallory", "topic=ops")).isEqualTo(403);
        room.restart();
        assertThat(room.knock("bob", "topic=ops")).isEqualTo(101);
    }

    @Test
    void membersAndAdminsSeeWhoIsAMember() throws Exception {
        room.join("helper");
        let("mallory", "chat.*");
        JsonNode members = room.get("carol", "/topics/ops/members").body().path("members");
        assertThat(Seat.texts(members, "id"))
                .containsExactly("alice", "bob", "carol", "helper", "files", "search", "mallory");
        assertThat(members.path(3).path("here").asBoolean()).isTrue();
        assertThat(members.path(0).path("here").asBoolean()).isFalse();
        assertThat(members.path(0).path("source").asString()).isEqualTo("configuration");
        takeOut("mallory");
        assertThat(room.get("mallory", "/topics/ops/members").code()).isEqualTo("not_a_member");
        assertThat(room.get("alice", "/topics/nowhere/members").code()).isEqualTo("no_such_topic");
        assertThat(room.get("alice", "/topics/No/members").code()).isEqualTo("bad_topic");
    }

    @Test
    void whatIsWrongWithARequestIsSaid() throws Exception {
        String path = "/topics/ops/members/";
        assertThat(room.ask("PUT", "alice", path + "bob", "{}").code()).isEqualTo("bad_capability");
        assertThat(room.ask("PUT", "alice", path + "bob", "[]").code()).isEqualTo("bad_body");
        assertThat(room.ask("PUT", "alice", path + "stranger", "{\"capabilities\":[]}")
                        .code())
                .isEqualTo("unknown_identity");
        assertThat(room.ask("PUT", "alice", path + "a%20b", "{\"capabilities\":[]}")
                        .code())
                .isEqualTo("bad_name");
        assertThat(room.ask("DELETE", "alice", path + "stranger", "").code()).isEqualTo("not_a_member");
        assertThat(room.ask("POST", "alice", path + "stranger/reset", "").code())
                .isEqualTo("unknown_identity");
    }
}
