package dev.gavel.web.console.inbox;

import java.time.Instant;

/**
 * A recently ended proposal in one line of the inbox.
 *
 * @param outcome the outcome in a few words
 */
public record EndedProposalRow(
        String path, String callName, String from, String outcome, ProposalCard.Tone tone, Instant at) {
    /** Creates the row from the card of an ended proposal. */
    public static EndedProposalRow of(ProposalCard card, ProposalCard.CardOutcome cardOutcome, Instant at) {
        return new EndedProposalRow(
                card.path(), card.call().name(), card.from(), cardOutcome.text(), cardOutcome.tone(), at);
    }
}
