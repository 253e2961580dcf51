package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SystemMessage;
import java.util.Optional;

/**
 * Tells a sender why its envelope was refused, with the id and state of the proposal that the envelope concerns.
 *
 * @param proposal the id of the proposal, if the error concerns one
 * @param state the proposal's state, if the proposal exists
 */
public record ProposalRefusal(EnvelopeRefusal refusal, Optional<String> proposal, Optional<ProposalState> state) {
    static ProposalRefusal unknown(AdmittedEnvelope admittedEnvelope, String id) {
        return new ProposalRefusal(
                admittedEnvelope
                        .envelope()
                        .refuse(
                                EnvelopeErrorCode.UNKNOWN_PROPOSAL,
                                "This topic has no proposal with the id '" + id + "'. Check the id."),
                Optional.of(id),
                Optional.empty());
    }

    static ProposalRefusal about(
            ProposalSnapshot proposalSnapshot,
            AdmittedEnvelope admittedEnvelope,
            EnvelopeErrorCode code,
            String message) {
        return new ProposalRefusal(
                admittedEnvelope.envelope().refuse(code, message),
                Optional.of(proposalSnapshot.id()),
                Optional.of(proposalSnapshot.stateAt(admittedEnvelope.receivedAt())));
    }

    /** Returns the error as a system envelope. */
    public SystemMessage.Failure toFailure() {
        SystemMessage.Failure failure = SystemMessage.Failure.of(refusal, null);
        return proposal.map(id ->
                        failure.withProposal(id, state.map(ProposalState::label).orElse(null)))
                .orElse(failure);
    }
}
