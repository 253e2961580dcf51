package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.ProposalFixture.accepted;
import static dev.gavel.gateway.proposal.ProposalFixture.declined;
import static dev.gavel.gateway.proposal.ProposalFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.mcpx.EnvelopeErrorCode;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FulfilmentOutcomeTest {
    private static final String CANCELLED = "{'error':{'code':-32800,'message':'cancelled'}}";

    private final ProposalFixture proposalFixture = new ProposalFixture();
    private final String id = proposalFixture.openProposal().id();

    @BeforeEach
    void fulfil() {
        accepted(proposalFixture.fulfil("alice", id, "files"));
    }

    private Optional<FulfilmentOutcome> outcome() {
        return proposalFixture.proposal(id).outcome();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'result':{'content':[]}}                       | SUCCEEDED
            {'result':{'isError':false}}                    | SUCCEEDED
            {'result':{'isError':true}}                     | FAILED
            {'error':{'code':-32000,'message':'no'}}        | FAILED
            """)
    void theResponseSaysWhetherItFailed(String payload, FulfilmentOutcome outcome) {
        assertThat(ProposalFixture.types(proposalFixture.answer("files", id, payload)))
                .containsExactly("answered");
        assertThat(outcome()).contains(outcome);
    }

    @Test
    void theFirstResponseCountsAndLaterOnesChangeNothing() {
        proposalFixture.answer("files", id, "{'result':{}}");
        assertThat(route(proposalFixture.answer("files", id, "{'error':{}}")).concerns("agent"))
                .isTrue();
        assertThat(outcome()).contains(FulfilmentOutcome.SUCCEEDED);
    }

    @Test
    void aResponseOfAnyoneElseIsNotAddressee() {
        ProposalRefusal proposalRefusal = declined(proposalFixture.answer("carol", id, "{'result':{}}"));
        assertThat(proposalRefusal.refusal().code()).isEqualTo(EnvelopeErrorCode.NOT_ADDRESSEE);
        assertThat(proposalRefusal.toFailure().proposal()).isEqualTo(id);
        assertThat(proposalRefusal.toFailure().state()).isEqualTo("fulfilled");
        assertThat(proposalRefusal.refusal().message()).contains("files");
        assertThat(outcome()).contains(FulfilmentOutcome.PENDING);
    }

    @Test
    void itGoesToItsToAndAlsoToTheProposer() {
        RoutedEnvelope routedEnvelope = route(proposalFixture.answer("files", id, "{'result':{}}"));
        assertThat(routedEnvelope.storedEnvelope().to()).containsExactly("alice");
        assertThat(routedEnvelope.additionalRecipients()).containsExactly("agent");
    }

    @Test
    void itIsUnknownWhenTheAnswerTimeHasPassed() {
        assertThat(proposalFixture.proposal(id).dueAt()).contains(proposalFixture.now.plus(Duration.ofMinutes(10)));
        proposalFixture.advanceTime(Duration.ofMinutes(10).minusNanos(1));
        assertThat(proposalFixture.expireDue(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
        proposalFixture.advanceTime(Duration.ofNanos(1));
        assertThat(accepted(proposalFixture.expireDue(id)).uncommittedProposalEvents())
                .containsExactly(
                        new UncommittedProposalEvent(id, new OutcomeUnknown(OutcomeUnknown.Reason.ANSWER_TIME_PASSED)));
        assertThat(outcome()).contains(FulfilmentOutcome.UNKNOWN);
        assertThat(proposalFixture.proposal(id).dueAt()).isEmpty();
    }

    @Test
    void itIsUnknownWhenTheAddresseeLeftForLongerThanAReconnectTakes() {
        assertThat(proposalFixture.absenceDueAt(id)).isEmpty();
        proposalFixture.leave("files");
        assertThat(proposalFixture.absenceDueAt(id)).contains(proposalFixture.now.plus(ProposalSettings.ABSENCE_GRACE));
        assertThat(proposalFixture.applyAbsence(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
        proposalFixture.advanceTime(ProposalSettings.ABSENCE_GRACE);
        assertThat(accepted(proposalFixture.applyAbsence(id)).uncommittedProposalEvents())
                .containsExactly(
                        new UncommittedProposalEvent(id, new OutcomeUnknown(OutcomeUnknown.Reason.ADDRESSEE_LEFT)));
        assertThat(outcome()).contains(FulfilmentOutcome.UNKNOWN);
        assertThat(proposalFixture.applyAbsence(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(proposalFixture.absenceDueAt(id)).isEmpty();
    }

    @Test
    void anAddresseeThatReconnectsInTimeIsStillWaitedFor() {
        proposalFixture.leave("files");
        proposalFixture.advanceTime(Duration.ofSeconds(1));
        proposalFixture.join("files");
        proposalFixture.advanceTime(Duration.ofMinutes(1));
        assertThat(proposalFixture.applyAbsence(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(outcome()).contains(FulfilmentOutcome.PENDING);
    }

    @Test
    void aCancelledCallMayHaveRunAndALaterAnswerCounts() {
        assertThat(ProposalFixture.types(proposalFixture.answer("files", id, CANCELLED)))
                .containsExactly("run_cancelled");
        assertThat(outcome()).contains(FulfilmentOutcome.UNKNOWN);
        assertThat(proposalFixture.guide(id, "agent").guidance().status())
                .startsWith("result unknown: approved by alice")
                .endsWith("and cancelled while it ran");
        assertThat(ProposalFixture.types(proposalFixture.answer("files", id, "{'result':{}}")))
                .containsExactly("answered");
        assertThat(outcome()).contains(FulfilmentOutcome.SUCCEEDED);
    }

    @Test
    void aCancellationAfterTheAnswerChangesNothing() {
        proposalFixture.answer("files", id, "{'result':{}}");
        assertThat(proposalFixture.answer("files", id, CANCELLED)).isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(outcome()).contains(FulfilmentOutcome.SUCCEEDED);
    }

    @Test
    void aLateResponseStillSetsIt() {
        proposalFixture.advanceTime(Duration.ofMinutes(10));
        proposalFixture.expireDue(id);
        proposalFixture.advanceTime(Duration.ofHours(3));
        ProposalDeciderResult.Accepted accepted = accepted(proposalFixture.answer("files", id, "{'result':{}}"));
        assertThat(accepted.uncommittedProposalEvents().getFirst().event())
                .isInstanceOfSatisfying(
                        Answered.class, answered -> assertThat(answered.late()).isTrue());
        assertThat(outcome()).contains(FulfilmentOutcome.SUCCEEDED);
    }

    @Test
    void aResponseAfterTheAnswerTimeIsLateAlsoBeforeThatIsRecorded() {
        proposalFixture.advanceTime(Duration.ofMinutes(10));
        assertThat(proposalFixture.proposal(id).asOf(proposalFixture.now).outcome())
                .contains(FulfilmentOutcome.UNKNOWN);
        assertThat(accepted(proposalFixture.answer("files", id, "{'result':{}}"))
                        .uncommittedProposalEvents()
                        .getFirst()
                        .event())
                .isInstanceOfSatisfying(
                        Answered.class, answered -> assertThat(answered.late()).isTrue());
        assertThat(proposalFixture.expireDue(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(outcome()).contains(FulfilmentOutcome.SUCCEEDED);
    }

    @Test
    void whatWasNotHandedOnIsRecordedAndChangesNothing() {
        proposalFixture.answer("files", id, "{'result':{}}");
        proposalFixture.apply(
                proposalFixture.decider.markNotForwarded(proposalFixture.proposal(id), "the client had gone"));
        assertThat(proposalFixture.proposal(id).timeline().getLast().event().type())
                .isEqualTo("not_forwarded");
        assertThat(outcome()).contains(FulfilmentOutcome.SUCCEEDED);
    }

    @Test
    void whatCameOfItIsHandedOnOnceAndNotBeforeThereIsSomething() {
        assertThat(proposalFixture.decider.markForwarded(proposalFixture.proposal(id), "one"))
                .isEqualTo(new ProposalDeciderResult.Unchanged());
        proposalFixture.answer("files", id, "{'result':{}}");
        proposalFixture.apply(proposalFixture.decider.markForwarded(proposalFixture.proposal(id), "one"));
        assertThat(proposalFixture.proposal(id).timeline().getLast().event().type())
                .isEqualTo("forwarded");
        assertThat(proposalFixture.decider.markForwarded(proposalFixture.proposal(id), "one"))
                .isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(outcome()).contains(FulfilmentOutcome.SUCCEEDED);
        assertThat(proposalFixture.decider.markNotForwarded(proposalFixture.proposal(id), "another process"))
                .isEqualTo(new ProposalDeciderResult.Unchanged());
        proposalFixture.apply(
                proposalFixture.decider.revokeForwarded(proposalFixture.proposal(id), "one", "the client had gone"));
        assertThat(proposalFixture.proposal(id).isForwarded()).isFalse();
        assertThat(proposalFixture.decider.revokeForwarded(proposalFixture.proposal(id), "one", "again"))
                .isEqualTo(new ProposalDeciderResult.Unchanged());

        proposalFixture.propose("open", ProposalFixture.WRITE);
        assertThat(proposalFixture.decider.markForwarded(proposalFixture.proposal("open"), "one"))
                .isEqualTo(new ProposalDeciderResult.Unchanged());
    }

    @Test
    void aResultIsUndeliveredIfEveryProcessThatForwardedItHasRevokedThat() {
        proposalFixture.answer("files", id, "{'result':{}}");
        proposalFixture.apply(proposalFixture.decider.markForwarded(proposalFixture.proposal(id), "one"));
        assertThat(proposalFixture.decider.markForwarded(proposalFixture.proposal(id), "two"))
                .isEqualTo(new ProposalDeciderResult.Unchanged());
        proposalFixture.apply(proposalFixture.decider.markAlsoForwarded(proposalFixture.proposal(id), "two"));
        proposalFixture.apply(
                proposalFixture.decider.revokeForwarded(proposalFixture.proposal(id), "one", "the client had gone"));
        assertThat(proposalFixture.proposal(id).isForwarded()).isTrue();
        proposalFixture.apply(
                proposalFixture.decider.revokeForwarded(proposalFixture.proposal(id), "two", "the client had gone"));
        assertThat(proposalFixture.proposal(id).isForwarded()).isFalse();
    }

    @Test
    void nobodyAnswersWithoutEnd() {
        proposalFixture.propose("many", ProposalFixture.WRITE);
        proposalFixture.fulfil("alice", "many", "files");
        for (int i = 0; i < 10; i++) {
            ProposalFixture.accepted(proposalFixture.answer("files", "many", "{'result':{}}"));
        }
        assertThat(ProposalFixture.declined(proposalFixture.answer("files", "many", "{'result':{}}"))
                        .refusal()
                        .code())
                .isEqualTo(EnvelopeErrorCode.RATE_LIMITED);
    }
}
