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
                    ? "somebody"
                    : proposalSnapshot.fulfilment().fulfilled().actor();
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.ALREADY_FULFILLED,
                    "It was fulfilled by " + by + " before, so this was not sent on. There is nothing left to do.");
        }
        if (state != ProposalState.OPEN) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.PROPOSAL_CLOSED,
                    "It is " + state.label() + ", so this was not sent on. If the call is still wanted, somebody has to"
                            + " propose it anew.");
        }
        if (admitted.from().equals(proposalSnapshot.proposer()) && !settings.selfApproval()) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.OWN_PROPOSAL,
                    "You proposed this yourself, and nobody fulfils their own proposals here. Leave it to somebody"
                            + " else, or withdraw it.");
        }
        Kind call = proposalSnapshot.callKind();
        if (!admitted.envelope().kindWithContext().equals(call)) {
            return error(
                    proposalSnapshot,
                    EnvelopeErrorCode.FULFILMENT_MISMATCH,
                    "What was proposed is " + call + ". Send that, with other arguments if you like; or send this"
                            + " without the correlationId, if you mean another call.");
        }
        return presenceSnapshot.anyPresent(admitted.to()) ? Optional.empty() : noRunnerError(proposalSnapshot);
    }

    private Optional<ProposalRefusal> noRunnerError(ProposalSnapshot proposalSnapshot) {
        String open = " The proposal stays open.";
        return error(
                proposalSnapshot,
                EnvelopeErrorCode.UNKNOWN_RECIPIENT,
                admitted.to().isEmpty()
                        ? "Say in 'to' who is to run it: a fulfilment to nobody in particular is not sent on." + open
                        : "Not connected: " + String.join(", ", admitted.to())
                                + ". Try again when whoever is to run it is here, or name another in 'to'." + open);
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
