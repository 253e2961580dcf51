package dev.gavel.web.console.inbox;

import java.util.Optional;

/**
 * The form in which a reviewer gives the reason for rejecting a proposal.
 *
 * @param customReason the reviewer's own reason, as entered so far
 * @param note the reviewer's note, as entered so far
 * @param complaint why the rejection was refused
 */
public record RejectFormView(ProposalCard card, String customReason, String note, Optional<String> complaint) {
    /** Whether the form contains what the reviewer entered before. */
    public boolean typed() {
        return !customReason.isEmpty() || !note.isEmpty();
    }

    /** Returns a form without any input. */
    public static RejectFormView of(ProposalCard card) {
        return new RejectFormView(card, "", "", Optional.empty());
    }
}
