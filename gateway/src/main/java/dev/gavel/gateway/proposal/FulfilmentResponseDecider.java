package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.RunCancelled;
import dev.gavel.mcpx.EnvelopeErrorCode;
import java.util.List;
import java.util.Optional;

/** Decides whether a response to a proposal's approved call is recorded as the proposal's answer or refused. */
record FulfilmentResponseDecider(AdmittedEnvelope admitted) {
    /** One answer is expected; a few more do no harm. */
    private static final int MAX_ANSWERS = 10;

    ProposalDeciderResult decide(ProposalSnapshot proposalSnapshot) {
        Fulfilment fulfilment = proposalSnapshot.asOf(admitted.receivedAt()).fulfilment();
        List<String> correlationIds = admitted.envelope().correlationIds();
        if (fulfilment == null
                || !correlationIds.equals(
                        List.of(fulfilment.fulfilled().storedEnvelope().id()))) {
            throw new IllegalArgumentException(
                    "the response does not answer the fulfilment of the proposal '" + proposalSnapshot.id() + "'");
        }
        if (!fulfilment.addressees().contains(admitted.from())) {
            return new ProposalDeciderResult.Refused(List.of(ProposalRefusal.about(
                    proposalSnapshot,
                    admitted,
                    EnvelopeErrorCode.NOT_ADDRESSEE,
                    "The request was addressed to " + String.join(", ", fulfilment.addressees())
                            + ". Only a response from there counts, so your response was not forwarded.")));
        }
        long answerCount = proposalSnapshot.timeline().stream()
                .filter(proposalTimelineEntry -> proposalTimelineEntry.event() instanceof Answered answered
                        && answered.actor().equals(admitted.from()))
                .count();
        if (answerCount >= MAX_ANSWERS) {
            return new ProposalDeciderResult.Refused(List.of(ProposalRefusal.about(
                    proposalSnapshot,
                    admitted,
                    EnvelopeErrorCode.RATE_LIMITED,
                    "You have already responded " + answerCount + " times, which is the limit for one request.")));
        }
        StoredEnvelope storedEnvelope = StoredEnvelope.of(admitted);
        if (CancellationResponse.matches(admitted.envelope())) {
            // It says nothing about the outcome that is not known already, unless the call is still running.
            return fulfilment.outcome() == FulfilmentOutcome.PENDING
                    ? ProposalDecider.accept(
                            proposalSnapshot,
                            List.of(new RunCancelled(storedEnvelope)),
                            Optional.of(RoutedEnvelope.of(storedEnvelope, List.of(proposalSnapshot), correlationIds)))
                    : new ProposalDeciderResult.Unchanged();
        }
        Answered answered = new Answered(storedEnvelope, fulfilment.outcome() == FulfilmentOutcome.UNKNOWN);
        return ProposalDecider.accept(
                proposalSnapshot,
                List.of(answered),
                Optional.of(RoutedEnvelope.of(storedEnvelope, List.of(proposalSnapshot), correlationIds)));
    }
}
