package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.Kind;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether to accept a member's approval of a proposal, which the member gives by sending the proposed call
 * itself.
 */
record ProposalApprovalDecider(
        ProposalSettings settings, AdmittedEnvelope admitted, PresenceSnapshot presenceSnapshot) {
    ProposalDeciderResult decide(Optional<ProposalSnapshot> found) {
        if (found.isEmpty()) {
            String id = admitted.envelope().correlationIds().getFirst();
            return new ProposalDeciderResult.Refused(List.of(ProposalRefusal.unknown(admitted, id)));
        }
        ProposalSnapshot proposalSnapshot = found.get();
        return error(proposalSnapshot)
                .<ProposalDeciderResult>map(
                        proposalRefusal -> new ProposalDeciderResult.Refused(List.of(proposalRefusal)))
                .orElseGet(() -> accept(proposalSnapshot));
    }

    private Optional<ProposalRefusal> error(ProposalSnapshot proposalSnapshot) {
        ProposalState state = proposalSnapshot.stateAt(admitted.receivedAt());
        if (state == ProposalState.FULFILLED) {
            String by = proposalSnapshot.fulfilment() == null
                    ? "another reviewer"
                    : proposalSnapshot.fulfilment().fulfilled().actor();
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.ALREADY_FULFILLED,
                    "The proposal was already approved by " + by
                            + ", so your request was not forwarded. There is nothing left to do.");
        }
        if (state != ProposalState.OPEN) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.PROPOSAL_CLOSED,
                    "The proposal is closed (" + state.label()
                            + "), so your request was not forwarded."
                            + " If the call is still needed, it must be proposed again.");
        }
        if (admitted.from().equals(proposalSnapshot.proposer()) && !settings.selfApproval()) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.OWN_PROPOSAL,
                    "You cannot approve your own proposal in this topic. Ask another reviewer to approve it,"
                            + " or withdraw it.");
        }
        Kind call = proposalSnapshot.callKind();
        if (!admitted.envelope().kindWithContext().equals(call)) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.FULFILMENT_MISMATCH,
                    "The proposed call is " + call + ". Send that call, with edited arguments if you like. To send a"
                            + " different call, leave out the correlationId.");
        }
        return presenceSnapshot.anyPresent(admitted.to()) ? Optional.empty() : noRunnerError(proposalSnapshot);
    }

    private Optional<ProposalRefusal> noRunnerError(ProposalSnapshot proposalSnapshot) {
        String open = " The proposal stays open.";
        return error(
                proposalSnapshot,
                EnvelopeErrorCode.UNKNOWN_RECIPIENT,
                admitted.to().isEmpty()
                        ? "In 'to', name the participant that runs the call. Your request was not forwarded." + open
                        : "Not connected: " + String.join(", ", admitted.to())
                                + ". Name a connected participant in 'to', or try again later." + open);
    }

    private Optional<ProposalRefusal> error(ProposalSnapshot proposalSnapshot, EnvelopeErrorCode code, String message) {
        return Optional.of(ProposalRefusal.about(proposalSnapshot, admitted, code, message));
    }

    private ProposalDeciderResult accept(ProposalSnapshot proposalSnapshot) {
        StoredEnvelope storedEnvelope = StoredEnvelope.of(admitted);
        boolean edited = !ProposalCallArguments.of(proposalSnapshot.payload())
                .sameAs(ProposalCallArguments.of(storedEnvelope.envelope().payload()));
        Fulfilled fulfilled =
                new Fulfilled(storedEnvelope, edited, admitted.receivedAt().plus(settings.answerTimeout()));
        return ProposalDecider.accept(
                proposalSnapshot,
                List.of(fulfilled),
                Optional.of(
                        RoutedEnvelope.of(storedEnvelope, List.of(proposalSnapshot), List.of(proposalSnapshot.id()))));
    }
}
