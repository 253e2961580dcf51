package dev.gavel.console.inbox;

import java.time.Instant;

/**
 * A proposal that ended not long ago, in a line.
 *
 * @param ended in a word
 */
public record Lately(String path, String what, String from, String ended, Card.Tone tone, Instant at) {
    /** Of a card that is over. */
    public static Lately of(Card card, Card.Ending ending, Instant at) {
        return new Lately(card.path(), card.call().what(), card.from(), ending.words(), ending.tone(), at);
    }
}
