package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The call that a reviewer made for a proposal, with its outcome and its answer.
 *
 * @param since when the outcome became what it is
 * @param unknown why the outcome is or was unknown, if it ever was
 * @param answer the response that set the outcome, if one has
 */
public record Fulfilment(
        Fulfilled request,
        FulfilmentOutcome outcome,
        Instant since,
        OutcomeUnknown.@Nullable Reason unknown,
        @Nullable Answered answer) {
    static Fulfilment pending(Fulfilled request, Instant at) {
        return new Fulfilment(request, FulfilmentOutcome.PENDING, at, null, null);
    }

    /** Whom the request was addressed to: who may answer. */
    public List<String> addressees() {
        return request.sent().to();
    }

    /** The first answer sets the outcome, also where it counted as unknown; later ones change nothing. */
    Fulfilment answered(Answered by, Instant at) {
        return answer != null
                ? this
                : new Fulfilment(
                        request, by.failed() ? FulfilmentOutcome.FAILED : FulfilmentOutcome.SUCCEEDED, at, unknown, by);
    }

    Fulfilment unknown(OutcomeUnknown.Reason reason, Instant at) {
        return outcome != FulfilmentOutcome.PENDING
                ? this
                : new Fulfilment(request, FulfilmentOutcome.UNKNOWN, at, reason, null);
    }
}
