package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The call that was made for a proposal, and what came of it.
 *
 * @param since when the outcome became what it is
 * @param unknown why the outcome is or was unknown, if it ever was
 * @param answer the response that set the outcome, if one has
 */
public record Fulfilment(
        Fulfilled request,
        Outcome outcome,
        Instant since,
        OutcomeUnknown.@Nullable Why unknown,
        @Nullable Answered answer) {
    static Fulfilment pending(Fulfilled request, Instant at) {
        return new Fulfilment(request, Outcome.PENDING, at, null, null);
    }

    /** Whom the request was addressed to: who may answer. */
    public List<String> addressees() {
        return request.sent().to();
    }

    /** The first answer sets the outcome, also where it counted as unknown; later ones change nothing. */
    Fulfilment answered(Answered by, Instant at) {
        return answer != null
                ? this
                : new Fulfilment(request, by.failed() ? Outcome.FAILED : Outcome.SUCCEEDED, at, unknown, by);
    }

    Fulfilment unknown(OutcomeUnknown.Why why, Instant at) {
        return outcome != Outcome.PENDING ? this : new Fulfilment(request, Outcome.UNKNOWN, at, why, null);
    }
}
