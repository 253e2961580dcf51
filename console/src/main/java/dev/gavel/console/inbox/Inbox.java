package dev.gavel.console.inbox;

import dev.gavel.console.Frame;
import java.util.List;

/**
 * The page of what waits on somebody.
 *
 * @param cards the oldest first
 * @param rest how many more wait than are shown
 * @param seps those whose next move is the reader's
 * @param lately what ended last, the latest first
 * @param topics where the reader is a member
 * @param command how the program is called in a terminal
 * @param options what it has to be told to propose something here as somebody else, to try it
 */
public record Inbox(
        Frame frame,
        List<Card> cards,
        int rest,
        SepChores seps,
        List<Lately> lately,
        List<String> topics,
        String command,
        String options) {
    public Inbox {
        cards = List.copyOf(cards);
        lately = List.copyOf(lately);
        topics = List.copyOf(topics);
    }

    /** How many things wait. */
    public int count() {
        return cards.size() + rest + seps.count();
    }
}
