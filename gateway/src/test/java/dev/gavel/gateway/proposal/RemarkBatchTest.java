package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.ProposalFixture.accepted;
import static dev.gavel.gateway.proposal.ProposalFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.SystemMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One envelope about several proposals. */
class RemarkBatchTest {
    private final ProposalFixture fixture = new ProposalFixture();
    private final String first = fixture.openProposal().id();
    private final String second = fixture.openProposal().id();
    private final String closed = fixture.openProposal().id();

    @Test
    void itIsDoneToEachAndRoutedWithThoseThatSucceededAndEachOtherGetsAnError() {
        fixture.withdraw("agent", closed);
        ProposalDeciderResult.Accepted accepted =
                accepted(fixture.reject("alice", "policy", second, "nowhere", closed, first));
        assertThat(accepted.uncommittedProposalEvents())
                .extracting(UncommittedProposalEvent::subject)
                .containsExactly(second, second, first, first);
        assertThat(route(accepted).proposalIds()).containsExactly(second, first);
        assertThat(accepted.errors())
                .extracting(proposalRefusal -> proposalRefusal.refusal().code())
                .containsExactly(EnvelopeErrorCode.UNKNOWN_PROPOSAL, EnvelopeErrorCode.PROPOSAL_CLOSED);
        assertThat(accepted.errors())
                .extracting(proposalRefusal -> proposalRefusal.proposal().orElse("none"))
                .containsExactly("nowhere", closed);
        assertThat(accepted.notices())
                .extracting(proposalNotice -> ((SystemMessage.Rejected) proposalNotice.systemMessage()).proposal())
                .containsExactly(second, first);
    }

    @Test
    void anIdNamedTwiceIsTakenOnce() {
        ProposalDeciderResult.Accepted accepted = accepted(fixture.withdraw("agent", first, first, second, first));
        assertThat(accepted.uncommittedProposalEvents()).hasSize(2);
        assertThat(accepted.errors()).isEmpty();
        assertThat(route(accepted).proposalIds()).containsExactly(first, second);
    }

    @Test
    void whereNoneSucceedsNothingIsRoutedAndEachGetsItsError() {
        ProposalDeciderResult proposalDeciderResult = fixture.withdraw("bob", first, "nowhere", second);
        assertThat(proposalDeciderResult)
                .isInstanceOfSatisfying(
                        ProposalDeciderResult.Refused.class,
                        refused -> assertThat(refused.errors())
                                .extracting(proposalRefusal ->
                                        proposalRefusal.refusal().code())
                                .containsExactly(
                                        EnvelopeErrorCode.NOT_PROPOSER,
                                        EnvelopeErrorCode.UNKNOWN_PROPOSAL,
                                        EnvelopeErrorCode.NOT_PROPOSER));
        assertThat(fixture.proposal(first).isOpen()).isTrue();
    }

    @Test
    void everyProposerConcernedIsReached() {
        fixture.apply(fixture.decider.decideProposal(
                fixture.admitted("r", "rival", "mcp.proposal.tools/call", ProposalFixture.WRITE, "", ""),
                fixture.tools));
        assertThat(route(fixture.reject("carol", "busy", first, "r")).additionalRecipients())
                .containsExactlyInAnyOrder("agent", "rival");
    }

    @Test
    void whatIsRoutedNamesThoseThatSucceededAndIsOtherwiseAsItWasSent() {
        String text =
                "{'protocol':'mcpx/v0.1', 'x':[1.50, {'correlationId':'no'}],'correlation_id':['nowhere','" + first
                        + "'],'z':1.5e3,'t' : true , 'o':0,'id':'w','kind':'mcpx.withdraw.proposal','payload':{ 'reason' : 'gr\\u00fcn ☂', 'n':-0.0 },'y':12}";
        Envelope envelope = (Envelope) new EnvelopeReader(EnvelopeLimits.DEFAULT).read(ProposalFixture.bytes(text));
        ProposalDeciderResult proposalDeciderResult = fixture.decider.decideUpdate(
                new AdmittedEnvelope(envelope, "agent", List.of("bob"), fixture.now),
                id -> Optional.ofNullable(fixture.proposalSnapshots.get(id)));
        assertThat(new String(route(proposalDeciderResult).encode(EnvelopeSyntax.CURRENT), StandardCharsets.UTF_8)
                        .replace('"', '\''))
                .isEqualTo("{'to':['bob'],'from':'agent','ts':'2026-01-05T10:00:00.000Z','protocol':'mcpx/v0.1',"
                        + "'x':[1.50, {'correlationId':'no'}],'correlationId':['" + first
                        + "'],'z':1.5e3,'t':true,'o':0,'id':'w','kind':'mcpx.withdraw.proposal',"
                        + "'payload':{ 'reason' : 'gr\\u00fcn ☂', 'n':-0.0 },'y':12}");
        assertThat(accepted(proposalDeciderResult)
                        .uncommittedProposalEvents()
                        .getFirst()
                        .event()
                        .storedEnvelope())
                .as("what a resend is compared with")
                .matches(storedEnvelope ->
                        storedEnvelope.envelope().correlationIds().size() == 2);
    }

    @Test
    void theEnvelopeIsKeptOnceHoweverManyItIsAbout() {
        List<UncommittedProposalEvent> uncommittedProposalEvents =
                accepted(fixture.reject("carol", "busy", first, second, closed)).uncommittedProposalEvents();
        assertThat(uncommittedProposalEvents).hasSize(3);
        assertThat(uncommittedProposalEvents.getFirst().event().storedEnvelope())
                .isNotNull();
        assertThat(uncommittedProposalEvents.subList(1, 3))
                .allMatch(uncommittedProposalEvent ->
                        uncommittedProposalEvent.event().storedEnvelope() == null);
        assertThat(uncommittedProposalEvents)
                .extracting(UncommittedProposalEvent::reference)
                .containsOnly(uncommittedProposalEvents.getFirst().reference());
    }
}
