package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.Draft.answer;
import static dev.gavel.app.proposal.Draft.fulfilment;
import static dev.gavel.app.proposal.Draft.proposal;
import static dev.gavel.app.proposal.Draft.rejection;
import static dev.gavel.app.proposal.Draft.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The ledger keeps a proposal's life, not the gateway: another process goes on where one stopped. */
class RestartTest {
    @TempDir
    private Path data;

    private Room room;

    @BeforeEach
    void open() throws IOException {
        room = new Room(data.resolve("room"), "answer: 3s");
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    @Test
    void whatWasOpenIsOpenAndCanBeDecided() throws Exception {
        Seat helper = room.join("helper");
        for (String id : List.of("p-1", "p-2", "p-3")) {
            helper.put(proposal(id));
        }
        room.restart();
        room.join("files");
        Seat alice = room.join("alice");
        assertThat(alice.waiting()).containsExactlyInAnyOrder("p-1", "p-2", "p-3");
        alice.put(fulfilment("f-1", "p-1"));
        alice.put(rejection("r-2", "policy", "p-2"));
        room.join("helper").put(withdrawal("w-3", "p-3"));
        assertThat(room.state("p-1")).isEqualTo("fulfilled");
        assertThat(room.state("p-2")).isEqualTo("rejected");
        assertThat(room.state("p-3")).isEqualTo("withdrawn");
    }

    @Test
    void whatEndedStaysAsItEnded() throws Exception {
        Seat files = room.join("files");
        Seat alice = room.join("alice");
        Seat helper = room.join("helper");
        for (String id : List.of("fulfilled", "rejected", "withdrawn")) {
            helper.put(proposal(id));
        }
        alice.put(fulfilment("f-1", "fulfilled"));
        files.put(answer("a-1", "f-1"));
        alice.put(rejection("r-1", "policy", "rejected"));
        helper.put(withdrawal("w-1", "withdrawn"));
        JsonNode before = room.proposal("carol", "fulfilled");
        room.restart();
        for (String id : List.of("fulfilled", "rejected", "withdrawn")) {
            assertThat(room.state(id)).isEqualTo(id);
        }
        JsonNode after = room.proposal("carol", "fulfilled");
        assertThat(after.path("outcome").asString()).isEqualTo("succeeded");
        assertThat(after.path("timeline")).isEqualTo(before.path("timeline"));
        Seat late = room.join("alice");
        assertThat(late.refused(fulfilment("f-2", "fulfilled")).path("error").asString())
                .isEqualTo("already_fulfilled");
    }

    @Test
    void theSeqGoesOnAndSinceReachesBack() throws Exception {
        Seat helper = room.join("helper");
        room.join("alice");
        helper.put(proposal("p-1"));
        long seq = room.join("carol").seq();
        room.restart();
        assertThat(room.join("carol").seq()).isGreaterThanOrEqualTo(seq);
        room.join("helper").put(proposal("p-2"));
        Seat carol = room.join("carol", "&since=0");
        assertThat(carol.seq()).isGreaterThan(seq);
        assertThat(Seat.id(carol.hearId("p-1"))).isEqualTo("p-1");
        assertThat(Seat.id(carol.hearId("p-2"))).isEqualTo("p-2");
        Seat resumed = room.join("carol", "&since=" + seq);
        assertThat(Seat.ids(resumed.caughtUp(room.join("helper"))))
                .contains("p-2")
                .doesNotContain("p-1");
    }

    @Test
    void whatIsOpenStillExpires() throws Exception {
        room.join("helper").put(proposal("p-1").ttl(4));
        room.restart();
        Seat carol = room.join("carol", "&since=0");
        carol.hear("system.proposal.expired", "p-1");
        assertThat(room.state("p-1")).isEqualTo("expired");
    }

    @Test
    void whatExpiredMeanwhileIsExpiredAtTheStart() throws Exception {
        room.join("helper").put(proposal("p-1").ttl(1));
        Instant expiry =
                Instant.parse(room.proposal("alice", "p-1").path("expiresAt").asString());
        room.stop();
        await().until(() -> Instant.now().isAfter(expiry));
        room.start();
        assertThat(room.state("p-1")).isEqualTo("expired");
        Seat alice = room.join("alice", "&since=0");
        assertThat(alice.waiting()).isEmpty();
        alice.hear("system.proposal.expired", "p-1");
        assertThat(alice.refused(rejection("r-1", "policy", "p-1"))
                        .path("error")
                        .asString())
                .isEqualTo("proposal_closed");
    }

    @Test
    void anUnansweredFulfilmentStillBecomesUnknownAndALateAnswerSetsIt() throws Exception {
        room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1"));
        alice.put(fulfilment("f-1", "p-1"));
        room.restart();
        Seat files = room.join("files");
        await().until(() -> room.outcome("p-1").equals("unknown"));
        files.put(answer("a-1", "f-1").to("alice"));
        assertThat(room.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void anAnswerAfterTheRestartIsTheAnswer() throws Exception {
        room.join("files");
        Seat alice = room.join("alice");
        room.join("helper").put(proposal("p-1"));
        alice.put(fulfilment("f-1", "p-1"));
        room.restart();
        Seat search = room.join("search");
        assertThat(search.refused(answer("a-0", "f-1")).path("error").asString())
                .isEqualTo("not_addressee");
        Seat helper = room.join("helper", "&mode=directed");
        room.join("files").put(answer("a-1", "f-1").to("alice"));
        helper.hearId("a-1");
        assertThat(room.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void whoWasUnreachableIsToldWhenSomebodyComesAfterwards() throws Exception {
        Seat helper = room.join("helper");
        helper.put(proposal("p-1"));
        helper.hear("system.proposal.unreachable", "p-1");
        room.restart();
        Seat back = room.join("helper");
        room.join("bob");
        back.hear("system.proposal.reachable", "p-1");
    }

    @Test
    void thatEverybodyLeavesAProcessThatEndsMeansNothing() throws Exception {
        Seat helper = room.join("helper");
        room.join("files");
        room.join("alice");
        helper.put(proposal("p-1"));
        // None of them answers the closing handshake, so that stopping takes longer than anybody's grace.
        room.kill();
        room.start();
        JsonNode timeline = room.proposal("helper", "p-1").path("timeline");
        assertThat(timeline.valueStream().map(step -> step.path("event").asString()))
                .containsExactly("proposed");
    }
}
