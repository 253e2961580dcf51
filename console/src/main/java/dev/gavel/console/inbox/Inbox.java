package dev.gavel.console.inbox;

import dev.gavel.console.Frame;
import java.util.List;

/**
 * The page of what waits on somebody.
 *
 * @param cards the oldest first
 * @param more how many are not shown
 * @param topics where the reader is a member
 * @param command how the program is called in a terminal
 * @param options what it has to be told to propose something here as somebody else, to try it
 */
public record Inbox(Frame frame, List<Card> cards, boolean more, List<String> topics, String command, String options) {
    public Inbox {
        cards = List.copyOf(cards);
        topics = List.copyOf(topics);
    }
}
