package dev.gavel.console.inbox;

import java.util.Optional;

/**
 * Where somebody says why they reject a proposal.
 *
 * @param words their own reason, as far as they wrote one
 * @param note what they wrote besides
 * @param complaint why that came to nothing
 */
public record Rejecting(Card card, String words, String note, Optional<String> complaint) {
    /** One in which nothing is written yet. */
    public static Rejecting of(Card card) {
        return new Rejecting(card, "", "", Optional.empty());
    }
}
