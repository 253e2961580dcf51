package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.mcpx.ErrorCode;
import java.util.List;
import java.util.Optional;

/** Decides on a response to a request that fulfilled a proposal. */
record Answering(Arrival arrival) {
    /** One is expected; a few more do no harm. */
    private static final int MOST_ANSWERS = 10;

    Ruling decide(Proposal proposal) {
        Fulfilment fulfilment = proposal.asOf(arrival.at()).fulfilment();
        List<String> about = arrival.envelope().correlationIds();
        if (fulfilment == null
                || !about.equals(List.of(fulfilment.request().sent().id()))) {
            throw new IllegalArgumentException(
                    "a response is decided on by the proposal whose fulfilment it answers, not '" + proposal.id()
                            + "'");
        }
        if (!fulfilment.addressees().contains(arrival.from())) {
            return new Ruling.Declined(List.of(Fault.about(
                    proposal,
                    arrival,
                    ErrorCode.NOT_ADDRESSEE,
                    "The request was addressed to " + String.join(", ", fulfilment.addressees())
                            + "; only an answer from there counts, so yours was not sent on.")));
        }
        long before = proposal.timeline().stream()
                .filter(step -> step.event() instanceof Answered answered
                        && answered.by().equals(arrival.from()))
                .count();
        if (before >= MOST_ANSWERS) {
            return new Ruling.Declined(List.of(Fault.about(
                    proposal,
                    arrival,
                    ErrorCode.RATE_LIMITED,
                    "You have answered it " + before + " times, and more is not kept.")));
        }
        Sent sent = Sent.of(arrival);
        Answered answered = new Answered(sent, fulfilment.outcome() == Outcome.UNKNOWN);
        return ProposalLife.taken(proposal, List.of(answered), Optional.of(Route.of(sent, List.of(proposal), about)));
    }
}
