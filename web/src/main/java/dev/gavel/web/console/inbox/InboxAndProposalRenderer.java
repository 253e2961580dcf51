package dev.gavel.web.console.inbox;

import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.page.TemplateRenderer;
import java.time.Instant;
import java.util.Map;

/** Renders the inbox page, the proposal pages and their forms to HTML. Stateless. */
public final class InboxAndProposalRenderer {
    private InboxAndProposalRenderer() {}

    public static String inbox(InboxPage inboxPage, Instant now) {
        return TemplateRenderer.render("inbox/inbox.jte", Map.of("inbox", inboxPage, "now", now));
    }

    public static String proposal(ProposalDetailPage page, Instant now) {
        return TemplateRenderer.render("inbox/proposal.jte", Map.of("page", page, "now", now));
    }

    /** Renders one card to insert into an open page. */
    public static String card(ProposalCard card, String csrf, Instant now) {
        return TemplateRenderer.render("inbox/card.jte", Map.of("card", card, "csrf", csrf, "now", now));
    }

    /** Renders the SEPs whose next step is up to the reader, to insert into an open page. */
    public static String seps(InboxSepList seps, Instant now) {
        return TemplateRenderer.render("inbox/seps.jte", Map.of("seps", seps, "now", now));
    }

    /** Renders the form for changing the arguments, which is a part of a card. */
    public static String editForm(ArgumentEditorView argumentEditorView, String csrf) {
        return TemplateRenderer.render(
                "inbox/edit.jte", Map.of("editor", argumentEditorView, "csrf", csrf, "inCard", true));
    }

    /** Renders the result of checking arguments, which is a part of the edit form. */
    public static String argumentCheck(ArgumentEditorView.ArgumentCheck argumentCheck) {
        return TemplateRenderer.render("inbox/checked.jte", Map.of("checked", argumentCheck));
    }

    /** Renders the message that replaces the check result when the proposal cannot be edited any more. */
    public static String notEditable() {
        return TemplateRenderer.render("line.jte", Map.of("words", "This proposal can no longer be edited."));
    }

    /** Renders the form for confirming an approval, which is a part of a card. */
    public static String confirmForm(ConfirmFormView confirmFormView, String csrf) {
        return TemplateRenderer.render(
                "inbox/confirm.jte", Map.of("confirming", confirmFormView, "csrf", csrf, "inCard", true));
    }

    /** Renders a separate page for confirming an approval. */
    public static String confirmPage(PageLayoutData frame, ConfirmFormView confirmFormView) {
        return TemplateRenderer.render("inbox/confirming.jte", Map.of("frame", frame, "confirming", confirmFormView));
    }

    /** Renders the form for giving a reason, which is a part of a card. */
    public static String rejectForm(RejectFormView rejectFormView, String csrf) {
        return TemplateRenderer.render(
                "inbox/reject.jte", Map.of("rejecting", rejectFormView, "csrf", csrf, "inCard", true));
    }

    /** Renders a separate page for editing. */
    public static String editPage(PageLayoutData frame, ArgumentEditorView argumentEditorView) {
        return TemplateRenderer.render("inbox/editing.jte", Map.of("frame", frame, "editor", argumentEditorView));
    }

    /** Renders a page that shows a proposal's arguments with their secret values. */
    public static String revealPage(PageLayoutData frame, ProposalCard card) {
        return TemplateRenderer.render("inbox/revealed.jte", Map.of("frame", frame, "card", card));
    }

    /** Renders a separate page for rejecting. */
    public static String rejectPage(PageLayoutData frame, RejectFormView rejectFormView) {
        return TemplateRenderer.render("inbox/rejecting.jte", Map.of("frame", frame, "rejecting", rejectFormView));
    }
}
