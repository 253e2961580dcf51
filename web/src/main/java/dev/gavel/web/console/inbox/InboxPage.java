package dev.gavel.web.console.inbox;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;

/**
 * The console's start page with the proposals and SEPs that wait for the signed-in user.
 *
 * @param cards the oldest first
 * @param hiddenCount how many more wait than are shown
 * @param seps those whose next move is the reader's
 * @param recentlyEnded what ended last, the latest first
 * @param topics where the reader is a member
 * @param command how the program is called in a terminal
 * @param options what it has to be told to propose something here as somebody else, to try it
 */
public record InboxPage(
        PageFrame frame,
        List<ProposalCard> cards,
        int hiddenCount,
        InboxSepList seps,
        List<EndedProposalRow> recentlyEnded,
        List<String> topics,
        String command,
        String options) {
    public InboxPage {
        cards = List.copyOf(cards);
        recentlyEnded = List.copyOf(recentlyEnded);
        topics = List.copyOf(topics);
    }

    /** How many things wait. */
    public int count() {
        return cards.size() + hiddenCount + seps.count();
    }
}
