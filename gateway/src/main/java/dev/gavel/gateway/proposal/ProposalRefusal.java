package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SystemMessage;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells a sender why its envelope was refused, with the id and state of the proposal that the envelope concerns.
 *
 * @param proposal the id of the proposal, if the error concerns one
 * @param state the proposal's state, if the proposal exists
 * @param retryAfter when to send the envelope again, if waiting helps
 */
public record ProposalRefusal(
        EnvelopeRefusal refusal,
        Optional<String> proposal,
        Optional<ProposalState> state,
        Optional<Duration> retryAfter) {
    public ProposalRefusal(EnvelopeRefusal refusal, Optional<String> proposal, Optional<ProposalState> state) {
        this(refusal, proposal, state, Optional.empty());
    }

    /** Returns the refusal of an envelope that can be sent again after a time. */
    public ProposalRefusal withRetryAfter(Duration time) {
        return new ProposalRefusal(refusal, proposal, state, Optional.of(time));
    }

    static ProposalRefusal unknown(AdmittedEnvelope admittedEnvelope, String id) {
        return new ProposalRefusal(
                admittedEnvelope
                        .envelope()
                        .refuse(
                                EnvelopeErrorCode.UNKNOWN_PROPOSAL,
                                "The topic has no proposal with the ID '" + id + "'."),
                Optional.of(id),
                Optional.empty());
    }

    public static ProposalRefusal about(
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
        SystemMessage.Failure plain = SystemMessage.Failure.of(refusal, null);
        SystemMessage.Failure failure =
                retryAfter.map(time -> plain.withRetryAfter(time.toMillis())).orElse(plain);
        return proposal.map(id ->
                        failure.withProposal(id, state.map(ProposalState::label).orElse(null)))
                .orElse(failure);
    }
}
