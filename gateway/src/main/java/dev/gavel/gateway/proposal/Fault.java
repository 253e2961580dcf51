package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.SystemMessage;
import java.util.Optional;

/**
 * An error for the sender of an envelope.
 *
 * @param proposal the proposal it is about, if it is about one
 * @param state how that one stands, if there is one
 */
public record Fault(Refusal refusal, Optional<String> proposal, Optional<ProposalState> state) {
    static Fault unknown(Arrival arrival, String id) {
        return new Fault(
                arrival.envelope()
                        .refuse(
                                ErrorCode.UNKNOWN_PROPOSAL,
                                "No proposal of this topic has the id '" + id
                                        + "'. Check the correlationId, or leave it out if none is meant."),
                Optional.of(id),
                Optional.empty());
    }

    static Fault about(Proposal proposal, Arrival arrival, ErrorCode code, String message) {
        return new Fault(
                arrival.envelope().refuse(code, message),
                Optional.of(proposal.id()),
                Optional.of(proposal.stateAt(arrival.at())));
    }

    /** The system envelope that says so. */
    public SystemMessage.Failure failure() {
        SystemMessage.Failure failure = SystemMessage.Failure.of(refusal, null);
        return proposal.map(
                        id -> failure.about(id, state.map(ProposalState::word).orElse(null)))
                .orElse(failure);
    }
}
