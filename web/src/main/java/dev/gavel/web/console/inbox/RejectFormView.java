package dev.gavel.web.console.inbox;

import java.util.Optional;

/**
 * The form in which a reviewer gives the reason for rejecting a proposal.
 *
 * @param customReason their own reason, as far as they wrote one
 * @param note what they wrote besides
 * @param complaint why that came to nothing
 */
public record RejectFormView(ProposalCard card, String customReason, String note, Optional<String> complaint) {
    /** One in which nothing is written yet. */
    public static RejectFormView of(ProposalCard card) {
        return new RejectFormView(card, "", "", Optional.empty());
    }
}
