package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.Draft.fulfilment;
import static dev.gavel.app.proposal.Draft.proposal;
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

/** Fulfilling: the first request that names an open proposal, at most one, addressed to somebody who is here. */
class FulfilTest {
    private static final String EDITED =
            "{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"path\":\"/tmp/motd\"}}}";

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

    @Test
    void theFirstRequestThatNamesItFulfilsIt() throws Exception {
        Seat files = room.join("files");
        Seat helper = room.join("helper");
        Seat alice = room.join("alice");
        helper.put(proposal("p-1"));
        assertThat(room.state("p-1")).isEqualTo("open");
        assertThat(room.proposal("alice", "p-1").has("outcome")).isFalse();
        alice.put(fulfilment("f-1", "p-1"));
        JsonNode request = files.hearId("f-1");
        assertThat(request.path("from").asString()).isEqualTo("alice");
        assertThat(Seat.about(request)).containsExactly("p-1");
        assertThat(request.path("payload")).isEqualTo(Draft.JSON.readTree(Draft.WRITE));
        assertThat(Seat.kind(helper.hearId("f-1"))).isEqualTo("mcp.request.tools/call:write_file");
        assertThat(room.state("p-1")).isEqualTo("fulfilled");
        assertThat(room.outcome("p-1")).isEqualTo("pending");
    }

    @Test
    void ofManyWhoRaceExactlyOneIsRouted() throws Exception {
        int racers = 8;
        Map<String, String> members = new TreeMap<>(Room.MEMBERS);
        for (int i = 0; i < racers; i++) {
            members.put("racer-" + i, "[\"mcp.request.*\", \"chat.*\"]");
        }
        try (Room track = new Room(data.resolve("track"), members);
                ExecutorService threads = Executors.newFixedThreadPool(2 * racers)) {
            Seat files = track.join("files");
            Seat helper = track.join("helper");
            List<Seat> seats = new ArrayList<>();
            for (int i = 0; i < racers; i++) {
                seats.add(track.join("racer-" + i));
            }
            for (int round = 0; round < 5; round++) {
                String proposal = "p-" + round;
                helper.put(proposal(proposal));
                CyclicBarrier line = new CyclicBarrier(2 * racers);
                List<Future<String>> results = new ArrayList<>();
                for (int i = 0; i < racers; i++) {
                    Seat seat = seats.get(i);
                    String id = proposal + "-" + i;
                    String racer = "racer-" + i;
                    results.add(threads.submit(() -> {
                        line.await();
                        seat.send(fulfilment(id, proposal));
                        JsonNode answer = seat.next();
                        while (!Seat.id(answer).equals(id)
                                && !Seat.about(answer).contains(id)) {
                            answer = seat.next();
                        }
                        return Seat.id(answer).equals(id)
                                ? "routed"
                                : answer.path("payload").path("error").asString();
                    }));
                    results.add(threads.submit(() -> {
                        line.await();
                        Room.Answer answer = track.post(racer, fulfilment(id + "-posted", proposal));
                        return answer.status() == 202 ? "routed" : answer.code();
                    }));
                }
                List<String> all = new ArrayList<>();
                for (Future<String> result : results) {
                    all.add(result.get());
                }
                assertThat(all).containsOnlyOnce("routed").containsOnly("routed", "already_fulfilled");
                assertThat(files.before(helper).stream()
                                .filter(each -> Seat.about(each).contains(proposal)))
                        .hasSize(1);
                assertThat(Seat.texts(track.proposal("helper", proposal).path("timeline"), "event"))
                        .containsOnlyOnce("fulfilled");
            }
        }
    }

    @Test
    void aSecondIsToldThatItIsFulfilledAlready() throws Exception {
        Seat files = room.join("files");
        Seat alice = room.join("alice");
        Seat bob = room.join("bob");
        room.join("helper").put(proposal("p-1"));
        alice.put(fulfilment("f-1", "p-1"));
        JsonNode error = bob.refused(fulfilment("f-2", "p-1"));
        assertThat(error.path("error").asString()).isEqualTo("already_fulfilled");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("fulfilled");
        assertThat(Seat.ids(files.before(bob))).contains("f-1").doesNotContain("f-2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            another tool                   | mcp.request.tools/call:read_file | {"method":"tools/call","params":{"name":"read_file"}}
            another tool, context left out | mcp.request.tools/call           | {"method":"tools/call","params":{"name":"read_file"}}
            another method                 | mcp.request.tools/list           | {"method":"tools/list"}
            """)
    void anotherMethodOrContextIsAMismatch(String what, String kind, String payload) throws Exception {
        Seat files = room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1"));
        JsonNode error =
                alice.refused(fulfilment("f-1", "p-1").with("kind", kind).payload(payload));
        assertThat(error.path("error").asString()).as(what).isEqualTo("fulfilment_mismatch");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("open");
        assertThat(room.state("p-1")).isEqualTo("open");
        assertThat(Seat.ids(files.before(alice))).doesNotContain("f-1");
    }

    @ParameterizedTest
    @CsvSource({
        "mcp.proposal.tools/call:write_file, mcp.request.tools/call",
        "mcp.proposal.tools/call, mcp.request.tools/call:write_file",
        "mcp.proposal.tools/call, mcp.request.tools/call"
    })
    void aContextLeftOutIsThePayloads(String proposed, String requested) throws Exception {
        room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1").with("kind", proposed));
        alice.put(fulfilment("f-1", "p-1").with("kind", requested));
        assertThat(room.state("p-1")).isEqualTo("fulfilled");
    }

    @Test
    void editedArgumentsAreKeptBesideTheProposed() throws Exception {
        Seat files = room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1"));
        alice.put(fulfilment("f-1", "p-1").payload(EDITED));
        assertThat(files.hearId("f-1").path("payload")).isEqualTo(Draft.JSON.readTree(EDITED));
        JsonNode shown = room.proposal("helper", "p-1");
        assertThat(shown.path("payload")).isEqualTo(Draft.JSON.readTree(Draft.WRITE));
        JsonNode fulfilled = step(shown, "fulfilled");
        assertThat(fulfilled.path("edited").asBoolean()).isTrue();
        assertThat(fulfilled.path("proposedParams"))
                .isEqualTo(Draft.JSON.readTree(Draft.WRITE).path("params"));
        assertThat(fulfilled.path("fulfilledParams"))
                .isEqualTo(Draft.JSON.readTree(EDITED).path("params"));
    }

    @Test
    void argumentsAsProposedAreNoEdit() throws Exception {
        room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1"));
        alice.put(fulfilment("f-1", "p-1"));
        JsonNode fulfilled = step(room.proposal("helper", "p-1"), "fulfilled");
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
        Seat alice = room.join("alice");
        Seat helper = room.join("helper");
        helper.put(proposal("p-1"));
        JsonNode error = alice.refused(fulfilment("f-1", "p-1").with("to", Draft.JSON.readTree(to)));
        assertThat(error.path("error").asString()).as(what).isEqualTo("unknown_recipient");
        assertThat(room.state("p-1")).isEqualTo("open");
        assertThat(Seat.ids(helper.before(alice))).doesNotContain("f-1");
        room.join("files");
        alice.put(fulfilment("f-2", "p-1"));
        assertThat(room.state("p-1")).isEqualTo("fulfilled");
    }

    @Test
    void toWhoeverCanWhileNobodyCanItIsRefusedAndTheProposalStaysOpen() throws Exception {
        room.join("helper").put(proposal("p-1"));
        Room.Answer answer = room.post("alice", fulfilment("f-1", "p-1").to("can:mcp.response.tools/call:write_file"));
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("unknown_recipient");
        assertThat(room.state("p-1")).isEqualTo("open");
    }

    @Test
    void withoutToItIsRefusedAndSaysWhichProposalStaysOpen() throws Exception {
        room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1"));
        JsonNode error = alice.refused(Draft.envelope("f-1", "mcp.request.tools/call:write_file", Draft.WRITE)
                .about("p-1"));
        assertThat(error.path("error").asString()).isEqualTo("unknown_recipient");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("open");
    }

    @Test
    void toSomeWhoAreHereItIsRouted() throws Exception {
        Seat files = room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1"));
        alice.put(fulfilment("f-1", "p-1").to("search", "files"));
        assertThat(Seat.id(files.hearId("f-1"))).isEqualTo("f-1");
        assertThat(room.state("p-1")).isEqualTo("fulfilled");
    }

    @Test
    void aNameThatIsNoMembersIsToldAndTheOthersStillGetIt() throws Exception {
        Seat files = room.join("files");
        room.join("helper").put(proposal("p-1"));
        Room.Answer answer = room.post("alice", fulfilment("f-1", "p-1").to("ghost", "files"));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(Seat.texts(answer.body().path("errors"), "code")).containsExactly("unknown_recipient");
        assertThat(Seat.id(files.hearId("f-1"))).isEqualTo("f-1");
    }

    @Test
    void theProposersOwnIsRefused() throws Exception {
        Seat files = room.join("files");
        Seat alice = room.join("alice");
        alice.put(proposal("p-1"));
        JsonNode error = alice.refused(fulfilment("f-1", "p-1"));
        assertThat(error.path("error").asString()).isEqualTo("own_proposal");
        assertThat(error.path("proposal").asString()).isEqualTo("p-1");
        assertThat(error.path("state").asString()).isEqualTo("open");
        assertThat(Seat.ids(files.before(alice))).doesNotContain("f-1");
        assertThat(room.state("p-1")).isEqualTo("open");
    }

    @Test
    void whereSelfApprovalIsAllowedTheProposersOwnFulfils() throws Exception {
        try (Room trusting = new Room(data.resolve("trusting"), "selfApproval: true")) {
            Seat files = trusting.join("files");
            Seat alice = trusting.join("alice");
            alice.put(proposal("p-1"));
            alice.put(fulfilment("f-1", "p-1"));
            assertThat(Seat.id(files.hearId("f-1"))).isEqualTo("f-1");
            assertThat(trusting.state("p-1")).isEqualTo("fulfilled");
        }
    }

    @Test
    void whoMayNotSendTheRequestFulfilsNothing() throws Exception {
        room.join("files");
        Seat carol = room.join("carol");
        room.join("helper").put(proposal("p-1"));
        assertThat(carol.refused(fulfilment("f-1", "p-1")).path("error").asString())
                .isEqualTo("capability_violation");
        assertThat(room.state("p-1")).isEqualTo("open");
    }

    @ParameterizedTest
    @CsvSource({"never-sent", "c-1", "q-1", "f-1"})
    void aCorrelationIdThatNamesNoProposalIsUnknown(String about) throws Exception {
        Seat files = room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1"));
        alice.send(Draft.chat("c-1"));
        alice.send(Draft.envelope("q-1", "mcp.request.tools/list", "{\"method\":\"tools/list\"}"));
        alice.put(fulfilment("f-1", "p-1"));
        JsonNode error = alice.refused(fulfilment("f-2", about));
        assertThat(error.path("error").asString()).isEqualTo("unknown_proposal");
        assertThat(error.path("proposal").asString()).isEqualTo(about);
        assertThat(Seat.ids(files.before(alice))).doesNotContain("f-2");
    }
}
