package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.mcpx.CapabilitySet;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProposalGuidanceBuilderTest {
    private final ProposalFixture proposalFixture = new ProposalFixture();
    private final String id = proposalFixture.openProposal().id();

    private LifecycleGuidance to(String reader) {
        return proposalFixture.guide(id, reader).guidance();
    }

    @Test
    void theProposerKnowsWhoIsWaitedForAndUntilWhen() {
        LifecycleGuidance guidance = to("agent");
        assertThat(guidance.status()).isEqualTo("waiting for alice or bob (connected); expires 10:15");
        assertThat(guidance.mustAct())
                .extracting(assignment -> assignment.party().toString())
                .containsExactly("alice", "bob");
        assertThat(guidance.since()).isEqualTo(ProposalFixture.START);
        assertThat(guidance.nextDeadline().orElseThrow().at())
                .isEqualTo(proposalFixture.proposal(id).expiresAt());
        assertThat(guidance.nextStep()).contains("Wait for a decision", "withdraw");
    }

    @Test
    void aProposerThatIsTheOnlyReviewerKnowsWhyTheProposalWaits() {
        CapabilitiesByMember alone = new CapabilitiesByMember(
                Map.of("agent", CapabilitySet.compile(List.of("*")).orThrow()));
        ProposalSnapshot proposal = proposalFixture.proposal(id);
        LifecycleGuidance guidance = new ProposalGuidanceBuilder(
                        proposal,
                        EligibleReviewers.of(proposal, alone),
                        alone,
                        proposalFixture.presence(),
                        participant -> false,
                        participant -> Optional.empty(),
                        "agent",
                        proposalFixture.now)
                .guidance();
        assertThat(guidance.nextStep())
                .isEqualTo("You cannot approve your own proposal, and no other member is allowed to approve it. Give"
                        + " another member the capability, or withdraw the proposal.");
        assertThat(guidance.moves().getFirst().blockReason())
                .hasValueSatisfying(reason -> assertThat(reason).startsWith("You cannot approve your own proposal"));
    }

    @Test
    void theProposerKnowsWhenNobodyIsHere() {
        proposalFixture.leave("alice", "bob");
        LifecycleGuidance guidance = to("agent");
        assertThat(guidance.status()).isEqualTo("waiting for alice or bob (not connected); expires 10:15");
        assertThat(guidance.mustAct()).isEmpty();
        assertThat(guidance.waitingOn()).extracting(Object::toString).containsExactly("alice", "bob");
        assertThat(guidance.nextStep()).contains("Ask alice or bob to decide, or withdraw");
    }

    @Test
    void aReviewerIsToldHowToApproveAndHowToReject() {
        assertThat(to("bob").nextStep())
                .isEqualTo("To approve it, send mcp.request.tools/call:write_file with correlationId '" + id
                        + "' to the participant that runs the call. To reject it, send mcpx.reject.proposal with"
                        + " correlationId '" + id + "' and a reason.");
        assertThat(to("carol").nextStep()).contains("If you object").contains("waiting for alice or bob");
        assertThat(to("files").nextStep()).contains("Nothing for you").contains("waiting for alice or bob");
    }

    @Test
    void aReviewerWhoRejectedIsNoLongerAwaitedAndTheRejectionIsShown() {
        proposalFixture.reject("alice", "busy", id);
        proposalFixture.remark("bob", "status", "{'status':'considering','note':'reading\\nit'}", id);
        assertThat(to("agent").status())
                .isEqualTo("waiting for bob (connected); alice abstained (busy);"
                        + " status from bob: considering (reading it); expires 10:15");
    }

    @Test
    void aTargetWhoIsAwayIsNamedAndSoIsWhoElseCould() {
        String targeted = proposalFixture.openProposal("bob", "files").id();
        proposalFixture.leave("bob");
        assertThat(proposalFixture.guide(targeted, "agent").guidance().status())
                .isEqualTo("waiting for bob (not connected); alice (connected) can also decide; expires 10:15");
    }

    @Test
    void aFulfilmentIsWaitedFor() {
        proposalFixture.request("alice", id, "mcp.request.tools/call", ProposalFixture.WRITE_TMP, "files");
        LifecycleGuidance guidance = to("agent");
        assertThat(guidance.status())
                .isEqualTo("approved by alice with edited arguments at 10:00; waiting for files to respond by 10:10");
        assertThat(guidance.mustAct())
                .extracting(assignment -> assignment.party().toString())
                .containsExactly("files");
        assertThat(to("files").nextStep()).contains("mcp.response.tools/call:write_file");
        proposalFixture.advanceTime(Duration.ofMinutes(10));
        proposalFixture.expireDue(id);
        assertThat(to("agent").status())
                .startsWith("result unknown: approved by alice")
                .endsWith("but files did not respond in time");
        assertThat(to("agent").nextStep()).contains("Check with files");
        proposalFixture.answer("files", id, "{'error':{}}");
        assertThat(to("agent").status()).isEqualTo("failed: approved by alice with edited arguments at 10:00");
    }

    @Test
    void endsAreSaidWithTheirReasons() {
        proposalFixture.remark("alice", "reject", "{'reason':'policy','note':'not on Fridays'}", id);
        assertThat(to("agent").status()).isEqualTo("rejected at 10:00 by alice (policy: not on Fridays)");
        String withdrawn = proposalFixture.openProposal().id();
        proposalFixture.remark("agent", "withdraw", "{'reason':'No longer needed'}", withdrawn);
        assertThat(proposalFixture.guide(withdrawn, "bob").guidance().status())
                .isEqualTo("withdrawn by agent at 10:00: No longer needed");
        String expired = proposalFixture.openProposal().id();
        proposalFixture.advanceTime(Duration.ofDays(1));
        assertThat(proposalFixture.guide(expired, "agent").guidance().status())
                .isEqualTo("expired at 2026-01-05 10:15: no reviewer decided in time");
        assertThat(proposalFixture.guide(expired, "agent").guidance().state()).isEqualTo("expired");
    }

    @Test
    void aLongNoteDoesNotMakeALongSentence() {
        proposalFixture.reject("carol", "x".repeat(4000), id);
        assertThat(to("agent").status()).hasSizeLessThan(400);
    }

    private ProposalGuidanceBuilder offering(String proposal, String... participants) {
        return offering(proposal, "['mcp.response.*']", participants);
    }

    private ProposalGuidanceBuilder offering(String proposal, String capabilitiesOfFiles, String[] participants) {
        proposalFixture.join("search");
        ProposalGuidanceBuilder guide = proposalFixture.guide(proposal, "alice");
        Map<String, CapabilitySet> members =
                new LinkedHashMap<>(guide.capabilitiesByMember().capabilitiesByMember());
        members.put("files", ProposalFixture.capabilities(capabilitiesOfFiles));
        members.put("search", ProposalFixture.capabilities("['mcp.response.*']"));
        return new ProposalGuidanceBuilder(
                guide.proposalSnapshot(),
                guide.reviewers(),
                new CapabilitiesByMember(members),
                guide.presenceSnapshot(),
                List.of(participants)::contains,
                guide.tool(),
                "alice",
                guide.now());
    }

    @Test
    void aCallThatIsAddressedToAParticipantDoesNotMoveToAnotherOne() {
        proposalFixture.propose("addressed", ProposalFixture.WRITE, "files");
        assertThat(offering("addressed", "files", "search").possibleRunners()).containsExactly("files");
        // It stops offering the call.
        assertThat(offering("addressed", "search").possibleRunners()).containsExactly("files");
        // It leaves.
        proposalFixture.leave("files");
        ProposalGuidanceBuilder left = offering("addressed", "search");
        assertThat(left.possibleRunners()).isEmpty();
        assertThat(left.alternativeRunners()).containsExactly("search");
        assertThat(ProposalView.of(left).risk().orElseThrow().warnings())
                .containsExactly("the call is addressed to files, which cannot run it now; it would run on another"
                        + " participant");
        assertThat(ProposalView.of(left).risk().orElseThrow().careful()).isTrue();
        // No other member takes over the call of a removed member either.
        proposalFixture.propose("removed", ProposalFixture.WRITE, "ghost");
        assertThat(offering("removed", "search").possibleRunners()).isEmpty();
    }

    @Test
    void aCallThatIsAddressedToAReviewerRunsOnTheParticipantThatOffersIt() {
        proposalFixture.propose("asked", ProposalFixture.WRITE, "carol");
        assertThat(offering("asked", "files").possibleRunners()).containsExactly("files");
    }

    @Test
    void anAddressedParticipantThatMayRejectButNotApproveIsToRunTheCall() {
        proposalFixture.propose("addressed", ProposalFixture.WRITE, "files");
        proposalFixture.leave("files");
        ProposalGuidanceBuilder left = offering("addressed", "['mcp.response.*','mcpx.*']", new String[] {"search"});
        assertThat(left.possibleRunners()).isEmpty();
        assertThat(left.alternativeRunners()).containsExactly("search");
    }

    @Test
    void theStatusSaysThatTheCallRanElsewhere() {
        proposalFixture.propose("addressed", ProposalFixture.WRITE, "ghost");
        proposalFixture.request("alice", "addressed", "mcp.request.tools/call", ProposalFixture.WRITE, "files");
        proposalFixture.answer("files", "addressed", "{'result':{}}");
        assertThat(proposalFixture.guide("addressed", "agent").guidance().status())
                .isEqualTo("succeeded: approved by alice at 10:00 to run on files instead of ghost");
    }

    @Test
    void aCallThatIsAddressedToItsReviewerIsNotReportedAsRedirected() {
        proposalFixture.propose("asked", ProposalFixture.WRITE, "carol");
        proposalFixture.request("alice", "asked", "mcp.request.tools/call", ProposalFixture.WRITE, "files");
        proposalFixture.answer("files", "asked", "{'result':{}}");
        assertThat(proposalFixture.guide("asked", "agent").guidance().status())
                .isEqualTo("succeeded: approved by alice at 10:00");
    }

    @Test
    void aRedirectNamesOnlyTheParticipantsThatWereToRunTheCall() {
        proposalFixture.propose("both", ProposalFixture.WRITE, "carol", "ghost");
        proposalFixture.request("alice", "both", "mcp.request.tools/call", ProposalFixture.WRITE, "files");
        proposalFixture.answer("files", "both", "{'result':{}}");
        assertThat(proposalFixture.guide("both", "agent").guidance().status())
                .isEqualTo("succeeded: approved by alice at 10:00 to run on files instead of ghost");
    }

    @Test
    void whoeverIsHereAndMayAnswerCouldRunIt() {
        assertThat(proposalFixture.guide(id, "alice").possibleRunners()).containsExactly("files");
        proposalFixture.leave("files");
        assertThat(proposalFixture.guide(id, "alice").possibleRunners()).isEmpty();
        proposalFixture.join("files");
        proposalFixture.fulfil("alice", id, "files");
        assertThat(proposalFixture.guide(id, "alice").possibleRunners()).isEmpty();
    }
}
