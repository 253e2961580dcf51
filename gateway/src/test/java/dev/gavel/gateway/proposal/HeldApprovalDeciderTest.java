package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.ProposalFixture.accepted;
import static dev.gavel.gateway.proposal.ProposalFixture.declined;
import static dev.gavel.gateway.proposal.ProposalFixture.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.ProposalEvent.HeldApprovalDropped;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests approvals of a call whose caller lost its connection. */
class HeldApprovalDeciderTest {
    private static final Duration LINGER = Duration.ofMinutes(2);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ProposalFixture fixture = new ProposalFixture();
    private boolean accessEnded;

    private String lingering() {
        String id = fixture.openProposal().id();
        leave(id, "one");
        return id;
    }

    private ProposalDeciderResult leave(String id, String process) {
        return fixture.apply(fixture.decider.recordCallerDisconnected(
                fixture.proposal(id), process, Optional.of(LINGER), fixture.now));
    }

    private ProposalDeciderResult callAgain(String id) {
        return fixture.apply(fixture.decider.recordCallerWaits(
                fixture.proposal(id), "two", fixture.presence(), fixture.tools, held -> accessEnded, fixture.now));
    }

    private String dropReason(ProposalDeciderResult result) {
        return ((HeldApprovalDropped)
                        accepted(result).uncommittedProposalEvents().getLast().event())
                .reason();
    }

    @Test
    void anApprovalIsHeldUntilTheCallerCallsAgain() {
        String id = lingering();
        assertThat(fixture.guide(id, "bob").guidance().status())
                .isEqualTo(
                        "waiting for alice or bob (connected); the caller lost its connection at 10:00, so an approval"
                                + " takes effect only when it calls again (until 10:02, then the proposal is withdrawn)");
        fixture.advanceTime(MINUTE);
        ProposalDeciderResult held = fixture.fulfil("alice", id, "files");
        assertThat(types(held)).containsExactly("approval_held");
        assertThat(accepted(held).notices())
                .containsExactly(new ProposalNotice(
                        new SystemMessage.ApprovalHeld(
                                id,
                                fixture.proposal(id)
                                        .heldApproval()
                                        .orElseThrow()
                                        .event()
                                        .envelopeId()),
                        List.of()));
        assertThat(fixture.proposal(id).isOpen()).isTrue();
        assertThat(fixture.guide(id, "bob").guidance().status())
                .startsWith(
                        "approved by alice at 10:01; runs when the caller calls again; the caller lost its connection"
                                + " at 10:00 (until 10:02, then the proposal is withdrawn)");
        assertThat(fixture.guide(id, "bob").guidance().mustAct()).isEmpty();
        assertThat(fixture.guide(id, "bob")
                        .guidance()
                        .nextDeadline()
                        .orElseThrow()
                        .consequence())
                .isEqualTo("it is withdrawn, unless the caller calls again");

        fixture.advanceTime(Duration.ofSeconds(59));
        assertThat(types(callAgain(id))).containsExactly("caller_waits", "fulfilled");
        Fulfilment fulfilment = fixture.proposal(id).fulfilment();
        assertThat(fulfilment).isNotNull();
        assertThat(fulfilment.fulfilled().actor()).isEqualTo("alice");
        assertThat(fulfilment.fulfilled().answerDeadline())
                .as("the time for the answer begins when the call is sent")
                .isEqualTo(fixture.now.plus(ProposalFixture.RULES.answerTimeout()));
    }

    @Test
    void aLingerTimeAfterTheExpiryIsNotPromised() {
        String id = fixture.openProposal().id();
        fixture.apply(fixture.decider.recordCallerDisconnected(
                fixture.proposal(id), "one", Optional.of(Duration.ofHours(1)), fixture.now));
        assertThat(fixture.proposal(id).callerDisconnection().orElseThrow().deadline())
                .isEmpty();
        assertThat(fixture.guide(id, "bob").guidance().status())
                .endsWith("(until 10:15, then the proposal is withdrawn)");
        assertThat(fixture.guide(id, "bob")
                        .guidance()
                        .nextDeadline()
                        .orElseThrow()
                        .consequence())
                .isEqualTo("it is withdrawn, unless the caller calls again");
    }

    @Test
    void theProposalIsWithdrawnIfTheCallerDoesNotCallAgain() {
        String id = lingering();
        fixture.fulfil("alice", id, "files");
        fixture.advanceTime(LINGER.minusNanos(1));
        assertThat(fixture.expireDue(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
        fixture.advanceTime(Duration.ofNanos(1));
        assertThat(fixture.proposal(id).stateAt(fixture.now)).isEqualTo(ProposalState.WITHDRAWN);
        assertThat(callAgain(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(types(fixture.expireDue(id))).containsExactly("withdrawn");
        assertThat(fixture.guide(id, "alice").guidance().status())
                .isEqualTo("withdrawn by the gateway at 10:02: the caller lost its connection and did not call again in"
                        + " time");
    }

    @Test
    void aProposalThatIsKeptWaitsForItsCallerUntilItExpires() {
        String id = fixture.openProposal().id();
        fixture.apply(
                fixture.decider.recordCallerDisconnected(fixture.proposal(id), "one", Optional.empty(), fixture.now));
        fixture.fulfil("alice", id, "files");
        fixture.advanceTime(Duration.ofMinutes(14));
        assertThat(types(callAgain(id))).containsExactly("caller_waits", "fulfilled");
    }

    @Test
    void aSecondReviewerLearnsThatItIsApproved() {
        String id = lingering();
        fixture.fulfil("alice", id, "files");
        ProposalRefusal refusal = declined(fixture.fulfil("bob", id, "files"));
        assertThat(refusal.refusal().code()).isEqualTo(EnvelopeErrorCode.ALREADY_FULFILLED);
        assertThat(refusal.refusal().message()).contains("already approved by alice", "calls again");
    }

    @Test
    void aHeldApprovalDoesNotPreventARejectionOrAWithdrawal() {
        String rejected = lingering();
        fixture.fulfil("alice", rejected, "files");
        fixture.reject("bob", "policy", rejected);
        assertThat(fixture.proposal(rejected).state()).isEqualTo(ProposalState.REJECTED);
        assertThat(callAgain(rejected)).isEqualTo(new ProposalDeciderResult.Unchanged());
        String withdrawn = lingering();
        fixture.fulfil("alice", withdrawn, "files");
        fixture.withdraw("agent", withdrawn);
        assertThat(fixture.proposal(withdrawn).state()).isEqualTo(ProposalState.WITHDRAWN);
    }

    @Test
    void anApprovalTakesEffectAtOnceAfterTheCallerHasCalledAgain() {
        String id = lingering();
        assertThat(types(callAgain(id))).containsExactly("caller_waits");
        assertThat(callAgain(id)).as("the same record again").isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(types(fixture.fulfil("alice", id, "files"))).containsExactly("fulfilled");
    }

    @Test
    void aProcessThatLostTheCallerDoesNotKnowThatItCalledAgainElsewhere() {
        String id = fixture.openProposal().id();
        callAgain(id);
        assertThat(leave(id, "one")).isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(types(leave(id, "two"))).containsExactly("caller_disconnected");
        assertThat(leave(id, "two")).isEqualTo(new ProposalDeciderResult.Unchanged());
    }

    @Test
    void aReviewerWhoLostItsRightsDoesNotRunTheCall() {
        String id = lingering();
        fixture.fulfil("alice", id, "files");
        accessEnded = true;
        ProposalDeciderResult result = callAgain(id);
        assertThat(types(result)).containsExactly("caller_waits", "held_approval_dropped");
        assertThat(dropReason(result))
                .as("the proposer may not be told who decides")
                .isEqualTo("the reviewer no longer has access");
        assertThat(accepted(result).notices())
                .containsExactly(new ProposalNotice(
                        new SystemMessage.ApprovalDropped(id, "the reviewer no longer has access"), List.of()));
        assertThat(fixture.proposal(id).heldApproval()).isEmpty();
        assertThat(types(fixture.fulfil("bob", id, "files"))).containsExactly("fulfilled");
    }

    @Test
    void aReviewerWhoLostTheCapabilityDoesNotRunTheCall() {
        String id = lingering();
        fixture.fulfil("bob", id, "files");
        Map<String, CapabilitySet> members = new LinkedHashMap<>(ProposalFixture.MEMBERS.capabilitiesByMember());
        members.put("bob", ProposalFixture.capabilities("['chat.*']"));
        fixture.decider = new ProposalDecider(ProposalFixture.RULES, new CapabilitiesByMember(members));
        assertThat(dropReason(callAgain(id))).isEqualTo("the reviewer is no longer allowed to make this call");
    }

    @Test
    void aCallDoesNotRunOnAParticipantThatHasLeft() {
        String id = lingering();
        fixture.fulfil("alice", id, "files");
        fixture.leave("files");
        assertThat(dropReason(callAgain(id))).isEqualTo("files is not connected");
    }

    @Test
    void aCallDoesNotRunForAnotherDefinitionOfItsTool() {
        fixture.tools = offering("writes a file");
        String id = fixture.nextId();
        fixture.propose(id, ProposalFixture.WRITE);
        leave(id, "one");
        fixture.request("alice", id, "mcp.request.tools/call:write_file", ProposalFixture.WRITE, "files");
        assertThat(fixture.proposal(id).heldApproval()).isPresent();
        fixture.tools = offering("writes a file, and sends it away");
        assertThat(dropReason(callAgain(id)))
                .isEqualTo("the definition of write_file on files changed since the approval");
    }

    @Test
    void aToolThatIsNotKnownYetIsNotAChangedTool() {
        fixture.tools = offering("writes a file");
        String id = fixture.nextId();
        fixture.propose(id, ProposalFixture.WRITE);
        leave(id, "one");
        fixture.request("alice", id, "mcp.request.tools/call:write_file", ProposalFixture.WRITE, "files");
        fixture.tools = ProposalFixture.tools(false);
        assertThat(dropReason(callAgain(id))).isEqualTo("the definition of write_file on files is not known yet");
    }

    @Test
    void anApprovedCallThatIsKeptEndsAsWithdrawnAndNotAsUndecided() {
        String id = fixture.openProposal().id();
        fixture.apply(
                fixture.decider.recordCallerDisconnected(fixture.proposal(id), "one", Optional.empty(), fixture.now));
        fixture.fulfil("alice", id, "files");
        fixture.now = fixture.proposal(id).expiresAt();
        String status =
                "withdrawn by the gateway at 10:15: the caller lost its connection and did not call again in time";
        assertThat(fixture.guide(id, "alice").guidance().status())
                .as("before the sweep has recorded it")
                .isEqualTo(status);
        assertThat(types(fixture.expireDue(id))).containsExactly("withdrawn");
        assertThat(fixture.guide(id, "alice").guidance().status()).isEqualTo(status);
    }

    @Test
    void aHeldEditIsShownAsItWouldRun() {
        String id = lingering();
        fixture.request("alice", id, "mcp.request.tools/call", ProposalFixture.WRITE_TMP, "files");
        ProposalView view = ProposalView.of(fixture.guide(id, "bob"));
        assertThat(view.isEdited()).isTrue();
        assertThat(view.effectivePayload().toString()).contains("/tmp/x");
    }

    private static TopicTools offering(String description) {
        return ProposalFixture.tools(
                true,
                ToolDefinition.of(
                        "files",
                        "write_file",
                        Json.parse("{\"name\":\"write_file\",\"description\":\"" + description + "\"}")
                                .orElseThrow()));
    }
}
