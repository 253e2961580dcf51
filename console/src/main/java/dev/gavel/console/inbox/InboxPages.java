package dev.gavel.console.inbox;

import dev.gavel.console.Templates;
import java.time.Instant;
import java.util.Map;

/** Writes the inbox, and the pages of proposals. Stateless. */
public final class InboxPages {
    private InboxPages() {}

    public static String inbox(Inbox inbox, Instant now) {
        return Templates.fill("inbox/inbox.jte", Map.of("inbox", inbox, "now", now));
    }

    public static String proposal(ProposalPage page, Instant now) {
        return Templates.fill("inbox/proposal.jte", Map.of("page", page, "now", now));
    }

    /** One card, to be put into a page that is open. */
    public static String card(Card card, String csrf, Instant now) {
        return Templates.fill("inbox/card.jte", Map.of("card", card, "csrf", csrf, "now", now));
    }
}
