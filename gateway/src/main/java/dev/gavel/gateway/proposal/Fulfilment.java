package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The call that a reviewer sent to approve a proposal, with the call's current outcome and, once it arrived, its
 * answer.
 *
 * @param outcomeSince when the outcome was set
 * @param unknownReason why the outcome is or was unknown, if it ever was
 * @param answer the response that set the outcome, if there is one
 */
public record Fulfilment(
        Fulfilled fulfilled,
        FulfilmentOutcome outcome,
        Instant outcomeSince,
        OutcomeUnknown.@Nullable Reason unknownReason,
        @Nullable Answered answer) {
    static Fulfilment pending(Fulfilled request, Instant at) {
        return new Fulfilment(request, FulfilmentOutcome.PENDING, at, null, null);
    }

    /** The members that the request was addressed to and who may answer it. */
    public List<String> addressees() {
        return fulfilled.storedEnvelope().to();
    }

    /**
     * Applies an answer. The first answer sets the outcome, even if the outcome was unknown before; later ones change
     * nothing.
     */
    Fulfilment withAnswer(Answered response, Instant at) {
        return answer != null
                ? this
                : new Fulfilment(
                        fulfilled,
                        response.failed() ? FulfilmentOutcome.FAILED : FulfilmentOutcome.SUCCEEDED,
                        at,
                        unknownReason,
                        response);
    }

    Fulfilment withUnknownOutcome(OutcomeUnknown.Reason reason, Instant at) {
        return outcome != FulfilmentOutcome.PENDING
                ? this
                : new Fulfilment(fulfilled, FulfilmentOutcome.UNKNOWN, at, reason, null);
    }
}
