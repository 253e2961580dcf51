package dev.gavel.web.console.inbox;

import java.time.Instant;

/**
 * A proposal that ended not long ago, in a line.
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
