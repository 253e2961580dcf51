package dev.gavel.gateway.docket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.Offers;
import dev.gavel.gateway.proposal.Presence;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.mcpx.ErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocketTest {
    @TempDir
    Path directory;

    private DocketRoom room;

    @BeforeEach
    void open() {
        room = new DocketRoom(directory);
    }

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void aReplaySaysWhatWasSaidLiveWordForWord() {
        String first = room.propose();
        String second = room.propose("alice");
        String third = room.propose();
        room.remark("alice", "status", "{'status':'considering'}", List.of(first, second));
        room.remark("alice", "reject", "{'reason':'busy'}", List.of(first, second, third));
        room.remark("bob", "reject", "{'reason':'policy'}", List.of(first, "nonsense", third));
        String fourth = room.propose();
        room.fulfil("bob", fourth);
        room.answer("f-8");
        room.presence = Presence.of(List.of("agent"));
        room.propose();
        room.presence = Presence.of(List.of("agent", "alice"));
        room.attend();
        room.now = room.now.plus(Duration.ofHours(2));
        room.carryOut();
        assertThat(room.sent).hasSizeGreaterThan(14);
        assertThat(room.replay(0)).isEqualTo(room.sent);
    }

    @Test
    void aReplayFromWithinABatchNamesTheRestOfIt() {
        String first = room.propose();
        String second = room.propose();
        room.remark("agent", "withdraw", "{}", List.of(first, second));
        assertThat(room.replay(3)).singleElement().asString().contains("'correlationId':['p-2']", "'id':'r-3'");
    }

    @Test
    void aLargeBatchIsNotDivided() {
        List<String> ids = new ArrayList<>();
        IntStream.range(0, 300).forEach(i -> ids.add(room.propose()));
        room.remark("alice", "reject", "{'reason':'policy'}", ids);
        assertThat(room.replay(0)).isEqualTo(room.sent);
    }

    @Test
    void whatIsNotThereYetIsAReasonToResync() {
        room.propose();
        assertThat(room.docket.archive().after(2)).isEqualTo(new Replayed.Resync(1, 1));
        assertThat(room.docket.archive().after(1)).isEqualTo(new Replayed.Messages(List.of(), 1));
    }

    @Test
    void theSameAgainIsEchoedAndSomethingElseUnderItsIdRefused() {
        room.propose();
        List<String> before = List.copyOf(room.sent);
        Decision again =
                room.take("p-1", "agent", "mcp.proposal.tools/call:write", DocketRoom.WRITE, List.of(), List.of());
        assertThat(again).isInstanceOf(Decision.Echoed.class);
        Decision other = room.take(
                "p-1", "agent", "mcp.proposal.tools/call:write", DocketRoom.WRITE, List.of("alice"), List.of());
        assertThat(room.declined(other).faults())
                .extracting(fault -> fault.refusal().code())
                .containsExactly(ErrorCode.DUPLICATE_ID);
        assertThat(room.sent).isEqualTo(before);
    }

    @Test
    void aBatchSentAgainIsEchoedAsItWasDone() {
        String first = room.propose();
        String second = room.propose();
        List<String> about = List.of(first, "nonsense", second);
        room.take("w", "agent", "mcpx.withdraw.proposal", "{}", List.of(), about);
        Decision again = room.take("w", "agent", "mcpx.withdraw.proposal", "{}", List.of(), about);
        assertThat(again).isInstanceOfSatisfying(Decision.Echoed.class, echoed -> {
            assertThat(echoed.sent().envelope().correlationIds()).containsExactly(first, second);
            assertThat(echoed.faults())
                    .extracting(fault -> fault.refusal().code())
                    .containsExactly(ErrorCode.UNKNOWN_PROPOSAL);
        });
    }

    @Test
    void anAnswerToARequestThatFulfilsNothingIsNoneOfOurs() {
        assertThat(room.answer("some-request")).isInstanceOf(Decision.Unrelated.class);
        assertThat(room.docket.archive().seq()).isZero();
    }

    @Test
    void standingsAreWhatWasToldOfThem() {
        room.propose();
        String second = room.propose("alice");
        String third = room.propose();
        room.fulfil("bob", third);
        room.remark("alice", "reject", "{'reason':'policy'}", List.of(second));
        assertThat(room.docket.archive().standings())
                .containsExactlyInAnyOrderElementsOf(room.standings.values())
                .hasSize(2);
    }

    @Test
    void aCanvassSaysWhomProposalsDependOnNow() {
        String first = room.propose();
        String second = room.propose("bob");
        room.change("agent: ['mcp.proposal.*']", "bob: ['mcpx.reject.proposal']", "carol: ['mcp.request.*']");
        int before = room.sent.size();
        assertThat(room.standing(first).circle().couldFulfil()).containsExactly("alice", "bob");
        room.presence = Presence.of(List.of("agent", "bob", "carol"));
        room.canvass();
        assertThat(room.standing(first).circle().couldFulfil()).containsExactly("carol");
        assertThat(room.standing(second).circle().targets()).containsExactly("bob");
        assertThat(room.sent).as("carol is here, so nothing is to be said").hasSize(before);
        room.presence = Presence.of(List.of("agent", "bob"));
        room.canvass();
        assertThat(room.sent.subList(before, room.sent.size()))
                .hasSize(2)
                .allMatch(text -> text.contains("unreachable"));
        assertThat(room.docket.archive().standings()).containsExactlyInAnyOrderElementsOf(room.standings.values());
    }

    @Test
    void losingEverybodyWhoHasNotRejectedItDoesNotCloseAProposal() {
        String proposal = room.propose();
        room.remark("alice", "reject", "{'reason':'busy'}", List.of(proposal));
        room.change("agent: ['mcp.proposal.*']", "alice: ['mcp.request.*','mcpx.*']");
        room.canvass();
        assertThat(room.standing(proposal).open()).isTrue();
    }

    @Test
    void theProjectionMadeAnewIsTheOneThatWasWritten() {
        String first = room.propose();
        room.propose();
        room.fulfil("bob", first);
        Archive archive = room.docket.archive();
        Archive.Onlooker alice = new Archive.Onlooker("alice", room.presence, Offers.NONE, room.now);
        Optional<Listing> before = archive.list(Optional.empty(), Optional.empty(), Optional.empty(), 10, alice);
        List<Standing> standing = archive.standings();
        assertThat(room.ledger.rebuild(new ProposalProjector())).isEqualTo(2);
        assertThat(archive.list(Optional.empty(), Optional.empty(), Optional.empty(), 10, alice))
                .isEqualTo(before);
        assertThat(archive.standings()).isEqualTo(standing);
    }

    @Test
    void aListingCanBeFilteredAndGoneOnWith() {
        IntStream.range(0, 5).forEach(i -> room.propose());
        room.fulfil("bob", "p-3");
        Archive archive = room.docket.archive();
        Archive.Onlooker alice = new Archive.Onlooker("alice", room.presence, Offers.NONE, room.now);
        List<String> seen = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            Listing page = archive.list(Optional.of(ProposalState.OPEN), Optional.of("agent"), cursor, 2, alice)
                    .orElseThrow();
            page.proposals().forEach(view -> seen.add(view.id()));
            cursor = page.next();
        } while (cursor.isPresent());
        assertThat(seen).containsExactly("p-5", "p-4", "p-2", "p-1");
        assertThat(archive.list(Optional.empty(), Optional.of("alice"), Optional.empty(), 2, alice))
                .contains(new Listing(List.of(), Optional.empty()));
        assertThat(archive.list(Optional.empty(), Optional.empty(), Optional.of("nonsense"), 2, alice))
                .isEmpty();
    }

    @Test
    void whatHasExpiredButWasNotRecordedYetIsNotListedAsOpen() {
        room.propose();
        Archive.Onlooker later =
                new Archive.Onlooker("alice", room.presence, Offers.NONE, room.now.plus(Duration.ofHours(1)));
        assertThat(room.docket
                        .archive()
                        .list(Optional.of(ProposalState.OPEN), Optional.empty(), Optional.empty(), 2, later)
                        .orElseThrow()
                        .proposals())
                .isEmpty();
    }
}
