package dev.gavel.web.console.inbox;

import java.time.Instant;

/**
 * A recently ended proposal in one line of the inbox.
 *
 * @param outcome in a word
 */
public record EndedProposalRow(
        String path, String callName, String from, String outcome, ProposalCard.Tone tone, Instant at) {
    /** Of a card that is over. */
    public static EndedProposalRow of(ProposalCard card, ProposalCard.CardOutcome cardOutcome, Instant at) {
        return new EndedProposalRow(
                card.path(), card.call().name(), card.from(), cardOutcome.text(), cardOutcome.tone(), at);
    }
}
