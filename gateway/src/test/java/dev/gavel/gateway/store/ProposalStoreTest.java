package dev.gavel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.EnvelopeErrorCode;
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

class ProposalStoreTest {
    @TempDir
    Path directory;

    private ProposalStoreFixture room;

    @BeforeEach
    void open() {
        room = new ProposalStoreFixture(directory);
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
        String fifth = room.propose();
        room.fulfil("bob", fifth);
        room.presenceSnapshot = PresenceSnapshot.of(List.of("agent"));
        room.applyAbsence();
        room.propose();
        room.now = room.now.plus(Duration.ofHours(2));
        room.expireDue();
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
        assertThat(room.proposalStore.reader().replayAfter(2)).isEqualTo(new MessageReplayResult.Resync(1, 1));
        assertThat(room.proposalStore.reader().replayAfter(1))
                .isEqualTo(new MessageReplayResult.Messages(List.of(), 1));
    }

    @Test
    void theSameAgainIsEchoedAndSomethingElseUnderItsIdRefused() {
        room.propose();
        List<String> before = List.copyOf(room.sent);
        ProposalStoreResult again = room.submit(
                "p-1", "agent", "mcp.proposal.tools/call:write", ProposalStoreFixture.WRITE, List.of(), List.of());
        assertThat(again).isInstanceOf(ProposalStoreResult.Duplicate.class);
        ProposalStoreResult other = room.submit(
                "p-1",
                "agent",
                "mcp.proposal.tools/call:write",
                ProposalStoreFixture.WRITE,
                List.of("alice"),
                List.of());
        assertThat(room.declined(other).errors())
                .extracting(proposalRefusal -> proposalRefusal.refusal().code())
                .containsExactly(EnvelopeErrorCode.DUPLICATE_ID);
        assertThat(room.sent).isEqualTo(before);
    }

    @Test
    void aBatchSentAgainIsEchoedAsItWasDone() {
        String first = room.propose();
        String second = room.propose();
        List<String> about = List.of(first, "nonsense", second);
        room.submit("w", "agent", "mcpx.withdraw.proposal", "{}", List.of(), about);
        ProposalStoreResult again = room.submit("w", "agent", "mcpx.withdraw.proposal", "{}", List.of(), about);
        assertThat(again).isInstanceOfSatisfying(ProposalStoreResult.Duplicate.class, duplicate -> {
            assertThat(duplicate.storedEnvelope().envelope().correlationIds()).containsExactly(first, second);
            assertThat(duplicate.errors())
                    .extracting(proposalRefusal -> proposalRefusal.refusal().code())
                    .containsExactly(EnvelopeErrorCode.UNKNOWN_PROPOSAL);
        });
    }

    @Test
    void anAnswerToARequestThatFulfilsNothingIsNoneOfOurs() {
        assertThat(room.answer("some-request")).isInstanceOf(ProposalStoreResult.Unrelated.class);
        assertThat(room.proposalStore.reader().lastSeq()).isZero();
    }

    @Test
    void standingsAreWhatWasToldOfThem() {
        room.propose();
        String second = room.propose("alice");
        String third = room.propose();
        room.fulfil("bob", third);
        room.remark("alice", "reject", "{'reason':'policy'}", List.of(second));
        assertThat(room.proposalStore.reader().loadPending())
                .containsExactlyInAnyOrderElementsOf(room.inMemoryPendingProposals.values())
                .hasSize(2);
    }

    @Test
    void aCanvassSaysWhomProposalsDependOnNow() {
        String first = room.propose();
        String second = room.propose("bob");
        room.setMembers("agent: ['mcp.proposal.*']", "bob: ['mcpx.reject.proposal']", "carol: ['mcp.request.*']");
        long before = room.proposalStore.reader().lastSeq();
        assertThat(room.tracked(first).reviewers().couldFulfil()).containsExactly("alice", "bob");
        room.updateReviewers();
        assertThat(room.tracked(first).reviewers().couldFulfil()).containsExactly("carol");
        assertThat(room.tracked(second).reviewers().targets()).containsExactly("bob");
        assertThat(room.proposalStore.reader().lastSeq()).isEqualTo(before);
        assertThat(room.proposalStore.reader().loadPending())
                .containsExactlyInAnyOrderElementsOf(room.inMemoryPendingProposals.values());
    }

    @Test
    void losingEverybodyWhoHasNotRejectedItDoesNotCloseAProposal() {
        String proposal = room.propose();
        room.remark("alice", "reject", "{'reason':'busy'}", List.of(proposal));
        room.setMembers("agent: ['mcp.proposal.*']", "alice: ['mcp.request.*','mcpx.*']");
        room.updateReviewers();
        assertThat(room.tracked(proposal).open()).isTrue();
    }

    @Test
    void theProjectionMadeAnewIsTheOneThatWasWritten() {
        String first = room.propose();
        room.propose();
        room.fulfil("bob", first);
        ProposalReader proposalReader = room.proposalStore.reader();
        ProposalReader.Viewer alice = new ProposalReader.Viewer(
                "alice", room.presenceSnapshot, CallOfferDirectory.NONE, TopicTools.NONE, room.now);
        Optional<ProposalPage> before =
                proposalReader.list(Optional.empty(), Optional.empty(), Optional.empty(), 10, alice);
        List<InMemoryPendingProposal> inMemoryPendingProposal = proposalReader.loadPending();
        assertThat(room.ledger.rebuildSummaries(new ProposalSummaryProjector())).isEqualTo(2);
        assertThat(proposalReader.list(Optional.empty(), Optional.empty(), Optional.empty(), 10, alice))
                .isEqualTo(before);
        assertThat(proposalReader.loadPending()).isEqualTo(inMemoryPendingProposal);
    }

    @Test
    void aListingCanBeFilteredAndGoneOnWith() {
        IntStream.range(0, 5).forEach(i -> room.propose());
        room.fulfil("bob", "p-3");
        ProposalReader proposalReader = room.proposalStore.reader();
        ProposalReader.Viewer alice = new ProposalReader.Viewer(
                "alice", room.presenceSnapshot, CallOfferDirectory.NONE, TopicTools.NONE, room.now);
        List<String> seen = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            ProposalPage page = proposalReader
                    .list(Optional.of(ProposalState.OPEN), Optional.of("agent"), cursor, 2, alice)
                    .orElseThrow();
            page.proposals().forEach(view -> seen.add(view.id()));
            cursor = page.nextCursor();
        } while (cursor.isPresent());
        assertThat(seen).containsExactly("p-5", "p-4", "p-2", "p-1");
        assertThat(proposalReader.list(Optional.empty(), Optional.of("alice"), Optional.empty(), 2, alice))
                .contains(new ProposalPage(List.of(), Optional.empty()));
        assertThat(proposalReader.list(Optional.empty(), Optional.empty(), Optional.of("nonsense"), 2, alice))
                .isEmpty();
    }

    @Test
    void whatHasExpiredButWasNotRecordedYetIsNotListedAsOpen() {
        room.propose();
        ProposalReader.Viewer later = new ProposalReader.Viewer(
                "alice",
                room.presenceSnapshot,
                CallOfferDirectory.NONE,
                TopicTools.NONE,
                room.now.plus(Duration.ofHours(1)));
        assertThat(room.proposalStore
                        .reader()
                        .list(Optional.of(ProposalState.OPEN), Optional.empty(), Optional.empty(), 2, later)
                        .orElseThrow()
                        .proposals())
                .isEmpty();
    }
}
