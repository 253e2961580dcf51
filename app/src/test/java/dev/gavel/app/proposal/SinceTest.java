package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.Draft.answer;
import static dev.gavel.app.proposal.Draft.chat;
import static dev.gavel.app.proposal.Draft.fulfilment;
import static dev.gavel.app.proposal.Draft.proposal;
import static dev.gavel.app.proposal.Draft.rejection;
import static dev.gavel.app.proposal.Draft.status;
import static dev.gavel.app.proposal.Draft.withdrawal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Replay on a socket: what happened after a seq, right after the welcome, as if it had been heard live. */
class SinceTest {
    @TempDir
    private Path data;

    private Room room;
    private Seat files;
    private Seat alice;
    private Seat bob;
    private Seat helper;

    @BeforeEach
    void open() throws IOException {
        room = new Room(data.resolve("room"));
        files = room.join("files");
        alice = room.join("alice");
        bob = room.join("bob");
        helper = room.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    /** What has ids that were not the gateway's passing remarks: what the ledger keeps. */
    private static List<JsonNode> kept(List<JsonNode> envelopes) {
        return envelopes.stream()
                .filter(each -> !Seat.kind(each).equals("system.presence"))
                .toList();
    }

    private void aLife() throws IOException {
        helper.put(proposal("p-1").with("x-trace", "7"));
        bob.put(status("s-1", "considering", "p-1"));
        bob.put(fulfilment("f-1", "p-1"));
        files.put(answer("a-1", "f-1").to("bob"));
        helper.put(proposal("p-2").to("bob"));
        bob.put(rejection("r-2", "policy", "p-2").to("helper"));
        helper.put(proposal("p-3"));
        helper.put(withdrawal("w-3", "p-3"));
    }

    @Test
    void sinceZeroReplaysEverythingInOrderAsItWasHeard() throws Exception {
        aLife();
        List<JsonNode> live = kept(alice.before(helper));
        Seat carol = room.join("carol", "&since=0");
        List<JsonNode> replayed = kept(carol.caughtUp(helper));
        assertThat(replayed).isEqualTo(live);
        assertThat(Seat.ids(replayed)).contains("p-1", "s-1", "f-1", "a-1", "p-2", "r-2", "p-3", "w-3");
        assertThat(Seat.kinds(replayed)).contains("system.proposal.rejected");
    }

    @Test
    void ownEnvelopesAreReplayedToo() throws Exception {
        aLife();
        Seat back = room.join("helper", "&since=0");
        assertThat(Seat.ids(kept(back.caughtUp(alice)))).contains("p-1", "p-2", "p-3", "w-3");
    }

    @Test
    void onlyWhatCameAfterItIsReplayed() throws Exception {
        helper.put(proposal("p-1"));
        long seq = room.join("carol").seq();
        helper.put(proposal("p-2"));
        assertThat(Seat.ids(kept(room.join("carol", "&since=" + seq).caughtUp(helper))))
                .containsExactly("p-2");
    }

    @Test
    void sinceNowReplaysNothing() throws Exception {
        aLife();
        long seq = room.join("carol").seq();
        assertThat(kept(room.join("carol", "&since=" + seq).caughtUp(helper))).isEmpty();
    }

    @Test
    void withoutSinceNothingIsReplayed() throws Exception {
        aLife();
        assertThat(kept(room.join("carol").caughtUp(helper))).isEmpty();
    }

    @Test
    void sinceZeroInATopicWhereNothingHappenedIsValid() throws Exception {
        Seat carol = room.join("carol", "&since=0");
        assertThat(carol.seq()).isZero();
        assertThat(kept(carol.caughtUp(helper))).isEmpty();
    }

    @Test
    void aReplayIsFilteredAsIfLive() throws Exception {
        Seat carol = room.join("carol", "&mode=directed");
        Seat directed = room.join("helper", "&mode=directed");
        helper = directed;
        aLife();
        List<JsonNode> heardByCarol = kept(carol.before(directed));
        List<JsonNode> heardByHelper = kept(directed.before(alice));
        assertThat(kept(room.join("carol", "&mode=directed&since=0").caughtUp(alice)))
                .isEqualTo(heardByCarol);
        List<JsonNode> replayed =
                kept(room.join("helper", "&mode=directed&since=0").caughtUp(alice));
        assertThat(Seat.ids(replayed)).containsAll(Seat.ids(heardByHelper));
        assertThat(Seat.ids(replayed)).contains("f-1", "a-1", "s-1", "r-2");
        assertThat(Seat.ids(heardByCarol)).contains("p-1").doesNotContain("a-1", "p-2", "r-2");
    }

    @Test
    void chatAndErrorsAreNotReplayed() throws Exception {
        helper.put(proposal("p-1"));
        alice.send(chat("c-1"));
        helper.hearId("c-1");
        assertThat(bob.refused(fulfilment("f-1", "p-9")).path("error").asString())
                .isEqualTo("unknown_proposal");
        assertThat(Seat.ids(kept(room.join("bob", "&since=0").caughtUp(helper))))
                .containsExactly("p-1");
    }

    @Test
    void theSeqCountsTheTopicsLifecycleEvents() throws Exception {
        long before = room.join("carol").seq();
        alice.send(chat("c-1"));
        assertThat(Seat.ids(helper.before(alice))).contains("c-1");
        assertThat(room.join("carol").seq()).isEqualTo(before);
        helper.put(proposal("p-1"));
        assertThat(room.join("carol").seq()).isEqualTo(before + 1);
        helper.put(withdrawal("w-1", "p-1"));
        assertThat(room.join("carol").seq()).isEqualTo(before + 2);
        assertThat(room.get("carol", "/topics/ops").body().path("seq").asLong()).isEqualTo(before + 2);
    }

    @Test
    void aSeqThatTheTopicHasNotReachedMeansResync() throws Exception {
        helper.put(proposal("p-1"));
        Seat carol = room.join("carol", "&since=1000000");
        JsonNode resync = carol.hear("system.resync");
        assertThat(resync.path("from").asString()).isEqualTo("system:gateway");
        assertThat(resync.path("payload").path("seq").asLong()).isEqualTo(carol.seq());
        helper.put(proposal("p-2"));
        assertThat(Seat.id(carol.hearId("p-2"))).isEqualTo("p-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1.5", ""})
    void aSinceThatIsNoSeqIsABadRequest(String since) throws Exception {
        assertThat(room.knock("carol", "topic=ops&since=" + since)).isEqualTo(400);
    }

    @Test
    void aLongReplayIsWholeAndWhatIsLiveComesAfterwards() throws Exception {
        int all = 1500;
        for (int i = 0; i < all; i++) {
            helper.send(proposal("p-" + i));
            if (i % 500 == 499) {
                helper.hearId("p-" + i);
            }
        }
        Seat carol = room.join("carol", "&since=0");
        helper.send(proposal("live"));
        for (int i = 0; i < all; i++) {
            assertThat(Seat.id(carol.next())).isEqualTo("p-" + i);
        }
        assertThat(Seat.id(carol.hearId("live"))).isEqualTo("live");
    }

    @Test
    void whoTakesItsTimeToCatchUpIsNotDropped() throws Exception {
        int all = 1600;
        String large = Draft.WRITE.replace("/etc/motd", "/etc/" + "x".repeat(10_000));
        for (int i = 0; i < all; i++) {
            helper.send(proposal("p-" + i).payload(large));
            if (i % 200 == 199) {
                helper.hearId("p-" + i);
            }
        }
        Seat carol = room.join("carol", "&since=0");
        // More than a connection's queue holds; live it would have been too slow long before these are through.
        for (int i = 0; i < 100; i++) {
            assertThat(room.proposal("files", "p-" + i).path("state").asString())
                    .isEqualTo("open");
        }
        for (int i = 0; i < all; i++) {
            assertThat(Seat.id(carol.hearId("p-" + i))).isEqualTo("p-" + i);
        }
    }
}
