package dev.gavel.web.console.inbox;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;

/**
 * The console's start page with the proposals and SEPs that wait for the signed-in user.
 *
 * @param cards oldest first
 * @param hiddenCount the number of waiting proposals that are not shown
 * @param seps the SEPs whose next step is up to the reader
 * @param recentlyEnded the proposals that ended last, latest first
 * @param topics the topics of which the reader is a member
 * @param command the name by which the program is run in a terminal
 * @param options the options with which the program proposes something here as another participant, to try it
 */
public record InboxPage(
        PageLayoutData frame,
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

    /** The number of waiting proposals and SEPs. */
    public int count() {
        return cards.size() + hiddenCount + seps.count();
    }
}
