package dev.gavel.console.inbox;

import dev.gavel.console.Frame;
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

    /** The SEPs whose next move is the reader's, to be put into a page that is open. */
    public static String seps(SepChores seps, Instant now) {
        return Templates.fill("inbox/seps.jte", Map.of("seps", seps, "now", now));
    }

    /** Where other arguments are written: a part of a card. */
    public static String editor(Editor editor, String csrf) {
        return Templates.fill("inbox/edit.jte", Map.of("editor", editor, "csrf", csrf));
    }

    /** What is to be said of arguments: a part of an editor. */
    public static String checked(Editor.Checked checked) {
        return Templates.fill("inbox/checked.jte", Map.of("checked", checked));
    }

    /** What is to be said where there is nothing to edit any more: a part of an editor. */
    public static String over() {
        return Templates.fill("line.jte", Map.of("words", "It cannot be edited any more."));
    }

    /** Where a reason is given: a part of a card. */
    public static String reasons(Rejecting rejecting, String csrf) {
        return Templates.fill("inbox/reject.jte", Map.of("rejecting", rejecting, "csrf", csrf));
    }

    /** A page of its own for editing. */
    public static String editing(Frame frame, Editor editor) {
        return Templates.fill("inbox/editing.jte", Map.of("frame", frame, "editor", editor));
    }

    /** A page of its own for rejecting. */
    public static String rejecting(Frame frame, Rejecting rejecting) {
        return Templates.fill("inbox/rejecting.jte", Map.of("frame", frame, "rejecting", rejecting));
    }
}
