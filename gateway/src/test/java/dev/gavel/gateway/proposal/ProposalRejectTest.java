package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.ProposalFixture.accepted;
import static dev.gavel.gateway.proposal.ProposalFixture.declined;
import static dev.gavel.gateway.proposal.ProposalFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.SystemMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions on rejections of a proposal. */
class ProposalRejectTest {
    private final ProposalFixture fixture = new ProposalFixture();

    private static ProposalFixture all() {
        return new ProposalFixture(new ProposalSettings(
                ProposalFixture.RULES.ttl(),
                ProposalFixture.RULES.maxTtl(),
                ProposalFixture.RULES.answerTimeout(),
                ProposalSettings.RejectionPolicy.ALL,
                false));
    }

    private static ProposalState state(ProposalFixture proposalFixture, ProposalSnapshot proposalSnapshot) {
        return proposalFixture.proposal(proposalSnapshot.id()).state();
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
                "I do not like it",
                "Busy"
            })
    void aVetoOfOneWhoCouldFulfilItClosesIt(String reason) {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        assertThat(ProposalFixture.types(fixture.reject("bob", reason, proposalSnapshot.id())))
                .containsExactly("rejected", "closed_by_rejections");
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.REJECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy", "incapable", "resource_limit"})
    void anAbstentionSpeaksForItsSenderAlone(String reason) {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        assertThat(ProposalFixture.types(fixture.reject("bob", reason, proposalSnapshot.id())))
                .containsExactly("rejected");
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.OPEN);
    }

    @Test
    void noReasonIsUnspecifiedAndAVeto() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        fixture.remark("alice", "reject", "{'note':'hm'}", proposalSnapshot.id());
        assertThat(fixture.proposal(proposalSnapshot.id()).rejections())
                .containsExactly(new SystemMessage.Rejection("alice", "unspecified", "hm"));
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void aVetoOfATargetClosesItAlsoWhereTheTargetCouldNotFulfilIt() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal("carol", "files");
        assertThat(fixture.eligibleReviewers(proposalSnapshot.id()).targets()).containsExactly("carol");
        fixture.reject("carol", "policy", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void othersRejectionsAreRecordedAndCloseNothing() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        ProposalDeciderResult proposalDeciderResult = fixture.reject("carol", "policy", proposalSnapshot.id());
        assertThat(ProposalFixture.types(proposalDeciderResult)).containsExactly("rejected");
        assertThat(route(proposalDeciderResult).concerns("agent")).isTrue();
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.OPEN);
        assertThat(fixture.proposal(proposalSnapshot.id()).rejections()).hasSize(1);
    }

    @Test
    void everyRejectionReachesTheProposer() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        ProposalDeciderResult proposalDeciderResult = fixture.apply(fixture.decider.decideUpdate(
                fixture.admitted(
                        "r", "bob", "mcpx.reject.proposal", "{}", "['alice']", "'" + proposalSnapshot.id() + "'"),
                id -> Optional.of(proposalSnapshot)));
        assertThat(route(proposalDeciderResult).additionalRecipients()).containsExactly("agent");
        assertThat(route(proposalDeciderResult).concerns("carol")).isFalse();
    }

    @Test
    void everyTargetHavingRejectedClosesItWhateverTheReasons() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal("alice", "bob");
        fixture.reject("alice", "busy", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.OPEN);
        fixture.reject("alice", "incapable", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.OPEN);
        fixture.reject("bob", "resource_limit", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void whereItHasTargetsTheRestOfThoseWhoCouldAreNotWaitedFor() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal("bob");
        fixture.reject("bob", "busy", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void aNameInToThatMayNeitherFulfilNorRejectOnlySaysWhere() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal("files");
        assertThat(fixture.eligibleReviewers(proposalSnapshot.id()).targets()).isEmpty();
        fixture.reject("alice", "busy", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.OPEN);
        fixture.reject("bob", "busy", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void whoCouldFulfilItDependsOnThePayloadAsProposedAndIsNeverTheProposer() {
        assertThat(fixture.eligibleReviewers(fixture.openProposal().id()).couldFulfil())
                .containsExactly("alice", "bob");
        fixture.propose("tmp", ProposalFixture.WRITE_TMP, "agent", "dan");
        assertThat(fixture.eligibleReviewers("tmp").couldFulfil()).containsExactly("alice", "bob", "dan");
        assertThat(fixture.eligibleReviewers("tmp").targets()).containsExactly("dan");
    }

    @Test
    void theProposersOwnRejectionClosesNothing() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal("agent");
        fixture.reject("agent", "policy", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.OPEN);
    }

    @Test
    void whereNobodyCouldAnOutsidersRejectionClosesNothing() {
        fixture.decider = new ProposalDecider(
                ProposalFixture.RULES,
                new CapabilitiesByMember(Map.of(
                        "agent",
                        ProposalFixture.capabilities("['mcp.proposal.*']"),
                        "carol",
                        ProposalFixture.capabilities("['mcpx.reject.proposal']"))));
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        fixture.reject("carol", "busy", proposalSnapshot.id());
        assertThat(state(fixture, proposalSnapshot)).isEqualTo(ProposalState.OPEN);
    }

    @ParameterizedTest
    @CsvSource({"policy,policy", "policy,busy", "busy,unsafe"})
    void withRejectionAllOnlyEverybodysClosesIt(String first, String second) {
        ProposalFixture patient = all();
        ProposalSnapshot proposalSnapshot = patient.openProposal();
        patient.reject("alice", first, proposalSnapshot.id());
        patient.reject("carol", "policy", proposalSnapshot.id());
        assertThat(state(patient, proposalSnapshot)).isEqualTo(ProposalState.OPEN);
        patient.reject("bob", second, proposalSnapshot.id());
        assertThat(state(patient, proposalSnapshot)).isEqualTo(ProposalState.REJECTED);
    }

    private static RejectionEffect effect(ProposalFixture proposalFixture, String from, String reason, String id) {
        return accepted(proposalFixture.reject(from, reason, id))
                .rejectionEffects()
                .getFirst();
    }

    @Test
    void theSenderLearnsThatItsVetoClosedTheProposal() {
        RejectionEffect effect =
                effect(fixture, "bob", "unsafe", fixture.openProposal().id());
        assertThat(effect.closed()).isTrue();
        assertThat(effect.ineffective()).isFalse();
        assertThat(effect.detail()).isEqualTo("rejected");
    }

    @Test
    void theSenderLearnsThatItsVetoDoesNotCount() {
        RejectionEffect effect =
                effect(fixture, "carol", "unsafe", fixture.openProposal().id());
        assertThat(effect.closed()).isFalse();
        assertThat(effect.ineffective()).isTrue();
        assertThat(effect.detail())
                .isEqualTo("recorded; the proposal stays open: only members who could approve it can close it;"
                        + " it waits for alice or bob");
    }

    @Test
    void anAbstentionSaysForWhomTheProposalWaits() {
        RejectionEffect effect =
                effect(fixture, "bob", "busy", fixture.openProposal().id());
        assertThat(effect.result()).isEqualTo(RejectionEffect.Result.ABSTAINED);
        assertThat(effect.awaitedMembers()).containsExactly("alice");
        assertThat(effect.detail()).isEqualTo("abstention recorded; the proposal stays open: it waits for alice");
    }

    @Test
    void aVoteUnderRejectionAllSaysWhoseVoteIsMissing() {
        ProposalFixture patient = all();
        ProposalSnapshot proposalSnapshot = patient.openProposal();
        RejectionEffect first = effect(patient, "alice", "unsafe", proposalSnapshot.id());
        assertThat(first.result()).isEqualTo(RejectionEffect.Result.VOTED);
        assertThat(first.detail())
                .isEqualTo("recorded; the proposal stays open until every reviewer has rejected it;"
                        + " still missing: bob");
        assertThat(effect(patient, "carol", "unsafe", proposalSnapshot.id()).ineffective())
                .isTrue();
        assertThat(effect(patient, "bob", "unsafe", proposalSnapshot.id()).closed())
                .isTrue();
    }

    @Test
    void closedByRejectionsEverybodyIsToldEveryReason() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        fixture.reject("carol", "disagree", proposalSnapshot.id());
        fixture.reject("bob", "busy", proposalSnapshot.id());
        assertThat(accepted(fixture.reject("alice", "policy", proposalSnapshot.id()))
                        .notices())
                .containsExactly(new ProposalNotice(
                        new SystemMessage.Rejected(
                                proposalSnapshot.id(),
                                List.of(
                                        new SystemMessage.Rejection("carol", "disagree", null),
                                        new SystemMessage.Rejection("bob", "busy", null),
                                        new SystemMessage.Rejection("alice", "policy", null))),
                        List.of()));
    }

    @Test
    void rejectingGivesNobodyARightAndTakesNoneAway() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        fixture.reject("bob", "busy", proposalSnapshot.id());
        accepted(fixture.fulfil("bob", proposalSnapshot.id(), "files"));
        assertThat(declined(fixture.reject("alice", "policy", proposalSnapshot.id()))
                        .refusal()
                        .code())
                .isEqualTo(EnvelopeErrorCode.PROPOSAL_CLOSED);
    }

    @Test
    void nobodyRejectsOrReportsWithoutEnd() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        for (int i = 0; i < 10; i++) {
            accepted(fixture.reject("carol", "busy", proposalSnapshot.id()));
        }
        assertThat(declined(fixture.reject("carol", "busy", proposalSnapshot.id()))
                        .refusal()
                        .code())
                .isEqualTo(EnvelopeErrorCode.RATE_LIMITED);
        accepted(fixture.remark("carol", "status", "{'status':'queued'}", proposalSnapshot.id()));
        accepted(fixture.reject("alice", "busy", proposalSnapshot.id()));
    }

    @Test
    void manyWordsAboutManyProposalsAreTooLarge() {
        String[] ids = new String[100];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = fixture.openProposal().id();
        }
        assertThat(declined(fixture.reject("bob", "x".repeat(3000), ids))
                        .refusal()
                        .code())
                .isEqualTo(EnvelopeErrorCode.TOO_LARGE);
        accepted(fixture.reject("bob", "x".repeat(2000), ids));
    }
}
