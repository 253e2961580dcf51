package dev.gavel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.mcpx.EnvelopeErrorCode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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

    private ProposalStoreFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ProposalStoreFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aReplaySaysWhatWasSaidLiveWordForWord() {
        String first = fixture.propose();
        String second = fixture.propose("alice");
        String third = fixture.propose();
        fixture.remark("alice", "status", "{'status':'considering'}", List.of(first, second));
        fixture.remark("alice", "reject", "{'reason':'busy'}", List.of(first, second, third));
        fixture.remark("bob", "reject", "{'reason':'policy'}", List.of(first, "nonsense", third));
        String fourth = fixture.propose();
        fixture.fulfil("bob", fourth);
        fixture.answer("f-8");
        String fifth = fixture.propose();
        fixture.fulfil("bob", fifth);
        fixture.presenceSnapshot = PresenceSnapshot.of(List.of("agent"));
        fixture.applyAbsence();
        fixture.propose();
        fixture.now = fixture.now.plus(Duration.ofHours(2));
        fixture.expireDue();
        assertThat(fixture.sent).hasSizeGreaterThan(14);
        assertThat(fixture.replay(0)).isEqualTo(fixture.sent);
    }

    @Test
    void aReplayFromWithinABatchNamesTheRestOfIt() {
        String first = fixture.propose();
        String second = fixture.propose();
        fixture.remark("agent", "withdraw", "{}", List.of(first, second));
        assertThat(fixture.replay(3)).singleElement().asString().contains("'correlationId':['p-2']", "'id':'r-3'");
    }

    @Test
    void aLargeBatchIsNotDivided() {
        List<String> ids = new ArrayList<>();
        IntStream.range(0, 300).forEach(i -> ids.add(fixture.propose()));
        fixture.remark("alice", "reject", "{'reason':'policy'}", ids);
        assertThat(fixture.replay(0)).isEqualTo(fixture.sent);
    }

    @Test
    void whatIsNotThereYetIsAReasonToResync() {
        fixture.propose();
        assertThat(fixture.proposalStore.reader().replayAfter(2)).isEqualTo(new MessageReplayResult.Resync(1, 1));
        assertThat(fixture.proposalStore.reader().replayAfter(1))
                .isEqualTo(new MessageReplayResult.Messages(List.of(), 1));
    }

    @Test
    void theSameAgainIsEchoedAndSomethingElseUnderItsIdRefused() {
        fixture.propose();
        List<String> before = List.copyOf(fixture.sent);
        ProposalStoreResult again = fixture.submit(
                "p-1", "agent", "mcp.proposal.tools/call:write", ProposalStoreFixture.WRITE, List.of(), List.of());
        assertThat(again).isInstanceOf(ProposalStoreResult.Duplicate.class);
        ProposalStoreResult other = fixture.submit(
                "p-1",
                "agent",
                "mcp.proposal.tools/call:write",
                ProposalStoreFixture.WRITE,
                List.of("alice"),
                List.of());
        assertThat(fixture.declined(other).errors())
                .extracting(proposalRefusal -> proposalRefusal.refusal().code())
                .containsExactly(EnvelopeErrorCode.DUPLICATE_ID);
        assertThat(fixture.sent).isEqualTo(before);
    }

    @Test
    void aBatchSentAgainIsEchoedAsItWasDone() {
        String first = fixture.propose();
        String second = fixture.propose();
        List<String> about = List.of(first, "nonsense", second);
        fixture.submit("w", "agent", "mcpx.withdraw.proposal", "{}", List.of(), about);
        ProposalStoreResult again = fixture.submit("w", "agent", "mcpx.withdraw.proposal", "{}", List.of(), about);
        assertThat(again).isInstanceOfSatisfying(ProposalStoreResult.Duplicate.class, duplicate -> {
            assertThat(duplicate.storedEnvelope().envelope().correlationIds()).containsExactly(first, second);
            assertThat(duplicate.errors())
                    .extracting(proposalRefusal -> proposalRefusal.refusal().code())
                    .containsExactly(EnvelopeErrorCode.UNKNOWN_PROPOSAL);
        });
    }

    @Test
    void anAnswerToARequestThatFulfilsNothingIsNoneOfOurs() {
        assertThat(fixture.answer("some-request")).isInstanceOf(ProposalStoreResult.Unrelated.class);
        assertThat(fixture.proposalStore.reader().lastSeq()).isZero();
    }

    @Test
    void standingsAreWhatWasToldOfThem() {
        fixture.propose();
        String second = fixture.propose("alice");
        String third = fixture.propose();
        fixture.fulfil("bob", third);
        fixture.remark("alice", "reject", "{'reason':'policy'}", List.of(second));
        assertThat(fixture.proposalStore.reader().loadPending())
                .containsExactlyInAnyOrderElementsOf(fixture.inMemoryPendingProposals.values())
                .hasSize(2);
    }

    @Test
    void aCanvassSaysWhomProposalsDependOnNow() {
        String first = fixture.propose();
        String second = fixture.propose("bob");
        fixture.setMembers("agent: ['mcp.proposal.*']", "bob: ['mcpx.reject.proposal']", "carol: ['mcp.request.*']");
        long before = fixture.proposalStore.reader().lastSeq();
        assertThat(fixture.tracked(first).reviewers().couldFulfil()).containsExactly("alice", "bob");
        fixture.updateReviewers();
        assertThat(fixture.tracked(first).reviewers().couldFulfil()).containsExactly("carol");
        assertThat(fixture.tracked(second).reviewers().targets()).containsExactly("bob");
        assertThat(fixture.proposalStore.reader().lastSeq()).isEqualTo(before);
        assertThat(fixture.proposalStore.reader().loadPending())
                .containsExactlyInAnyOrderElementsOf(fixture.inMemoryPendingProposals.values());
    }

    @Test
    void losingEverybodyWhoHasNotRejectedItDoesNotCloseAProposal() {
        String proposal = fixture.propose();
        fixture.remark("alice", "reject", "{'reason':'busy'}", List.of(proposal));
        fixture.setMembers("agent: ['mcp.proposal.*']", "alice: ['mcp.request.*','mcpx.*']");
        fixture.updateReviewers();
        assertThat(fixture.tracked(proposal).open()).isTrue();
    }

    @Test
    void theProjectionMadeAnewIsTheOneThatWasWritten() {
        String first = fixture.propose();
        fixture.propose();
        fixture.fulfil("bob", first);
        ProposalReader proposalReader = fixture.proposalStore.reader();
        ProposalReader.Viewer alice = new ProposalReader.Viewer(
                "alice", fixture.presenceSnapshot, CallOfferDirectory.NONE, TopicTools.NONE, fixture.now);
        Optional<ProposalPage> before =
                proposalReader.list(Optional.empty(), Optional.empty(), Optional.empty(), 10, alice);
        List<InMemoryPendingProposal> inMemoryPendingProposal = proposalReader.loadPending();
        assertThat(fixture.ledger.rebuildSummaries(new ProposalSummaryProjector()))
                .isEqualTo(2);
        assertThat(proposalReader.list(Optional.empty(), Optional.empty(), Optional.empty(), 10, alice))
                .isEqualTo(before);
        assertThat(proposalReader.loadPending()).isEqualTo(inMemoryPendingProposal);
    }

    @Test
    void aListingCanBeFilteredAndGoneOnWith() {
        IntStream.range(0, 5).forEach(i -> fixture.propose());
        fixture.fulfil("bob", "p-3");
        ProposalReader proposalReader = fixture.proposalStore.reader();
        ProposalReader.Viewer alice = new ProposalReader.Viewer(
                "alice", fixture.presenceSnapshot, CallOfferDirectory.NONE, TopicTools.NONE, fixture.now);
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
        fixture.propose();
        ProposalReader.Viewer later = new ProposalReader.Viewer(
                "alice",
                fixture.presenceSnapshot,
                CallOfferDirectory.NONE,
                TopicTools.NONE,
                fixture.now.plus(Duration.ofHours(1)));
        assertThat(fixture.proposalStore
                        .reader()
                        .list(Optional.of(ProposalState.OPEN), Optional.empty(), Optional.empty(), 2, later)
                        .orElseThrow()
                        .proposals())
                .isEmpty();
    }

    private ProposalView view(String id) {
        return fixture.proposalStore
                .reader()
                .view(
                        id,
                        new ProposalReader.Viewer(
                                "alice",
                                fixture.presenceSnapshot,
                                CallOfferDirectory.NONE,
                                TopicTools.NONE,
                                fixture.now))
                .orElseThrow();
    }

    @Test
    void aHeldApprovalIsDeliveredOnlyWhenTheCallerCallsAgain() {
        String id = fixture.propose();
        fixture.callerDisconnected(id);
        fixture.sent.clear();
        assertThat(fixture.fulfil("alice", id)).isInstanceOf(ProposalStoreResult.Committed.class);
        assertThat(fixture.sent).hasSize(1).first().asString().contains("system.proposal.approval_held");
        assertThat(view(id).state()).isEqualTo(ProposalState.OPEN);
        assertThat(fixture.tracked(id).requestId())
                .as("no other request may use its id")
                .contains("f-2");
        assertThat(resendApproval(id)).isInstanceOfSatisfying(ProposalStoreResult.Duplicate.class, duplicate -> {
            assertThat(duplicate.heldNotice().map(ProposalStoreFixture::text).orElseThrow())
                    .as("the request is not echoed, because its echo would run the call")
                    .contains("system.proposal.approval_held", "'envelope':'f-2'");
        });
        assertThat(fixture.answer("f-2"))
                .as("the call does not run yet, so it has no answer")
                .isInstanceOf(ProposalStoreResult.Unrelated.class);

        fixture.sent.clear();
        fixture.callerWaits(id);
        assertThat(fixture.sent).hasSize(1).first().asString().contains("'id':'f-2'", "mcp.request.tools/call:write");
        fixture.answer("f-2");
        assertThat(view(id).outcome()).contains(FulfilmentOutcome.SUCCEEDED);
        assertThat(fixture.replay(0))
                .as("a replay contains the approval once, after the caller called again")
                .filteredOn(text -> text.contains("'id':'f-2'"))
                .hasSize(1);
    }

    private ProposalStoreResult resendApproval(String proposal) {
        return fixture.submit(
                "f-2",
                "alice",
                "mcp.request.tools/call:write",
                ProposalStoreFixture.WRITE,
                List.of("files"),
                List.of(proposal));
    }

    @Test
    void aDroppedApprovalThatIsSentAgainIsRefused() {
        String id = fixture.propose();
        fixture.callerDisconnected(id);
        fixture.fulfil("alice", id);
        fixture.presenceSnapshot = PresenceSnapshot.of(List.of("agent", "alice", "bob"));
        fixture.callerWaits(id);
        assertThat(fixture.declined(resendApproval(id))
                        .errors()
                        .getFirst()
                        .refusal()
                        .code())
                .isEqualTo(EnvelopeErrorCode.DUPLICATE_ID);
    }

    @Test
    void aHeldApprovalEndsWithItsProposalIfTheCallerDoesNotReturn() {
        String id = fixture.propose();
        fixture.callerDisconnected(id);
        fixture.fulfil("alice", id);
        fixture.advanceTime(Duration.ofMinutes(2));
        fixture.sent.clear();
        fixture.expireDue();
        assertThat(fixture.sent).hasSize(1).first().asString().contains("system.proposal.withdrawn");
        fixture.callerWaits(id);
        assertThat(fixture.sent).hasSize(1);
        assertThat(view(id).state()).isEqualTo(ProposalState.WITHDRAWN);
    }

    /** The agent has lost its access to the topic. */
    private static final class AgentWithoutAccess implements IdentityAccessSource.AccessSnapshot {
        @Override
        public long seq() {
            return Long.MAX_VALUE;
        }

        @Override
        public IdentityAccessSource.AccessSnapshot withEvents(List<LedgerEvent> identityEvents) {
            return this;
        }

        @Override
        public Optional<String> accessEndReason(String topic, String identity, Instant now) {
            return identity.equals("agent") ? Optional.of("its tokens were revoked") : Optional.empty();
        }

        @Override
        public Optional<String> tokenEndReason(String identity, String tokenHash, Instant now) {
            return Optional.empty();
        }
    }

    @Test
    void aHeldApprovalTakesNoEffectForACallerThatHasLostItsAccess() {
        String id = fixture.propose();
        fixture.callerDisconnected(id);
        fixture.fulfil("alice", id);
        fixture.sent.clear();
        fixture.proposalStore.setAccessSource(AgentWithoutAccess::new);
        fixture.callerWaits(id);
        assertThat(fixture.sent).isEmpty();
        assertThat(view(id).state()).isEqualTo(ProposalState.OPEN);
    }
}
