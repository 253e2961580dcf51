package dev.gavel.console.inbox;

import dev.gavel.mcpx.json.Json;
import java.util.List;

/**
 * The SEPs whose next move is the reader's.
 *
 * @param cards those that wait longest first
 * @param count how many there are in all
 */
public record SepChores(List<SepCard> cards, int count) {
    /** None. */
    public static final SepChores NONE = new SepChores(List.of(), 0);

    public SepChores {
        cards = List.copyOf(cards);
    }

    /** Those in the desk's answer. */
    public static SepChores of(Json inbox) {
        return new SepChores(SepCard.all(inbox), (int) inbox.at("count").number(0));
    }
}
