package dev.gavel.web.console.inbox;

import java.util.Optional;

/**
 * The form in which a reviewer confirms the approval of a call that needs care.
 *
 * @param runner the participant that the reviewer chose to run the call; empty if none is chosen yet
 * @param complaint why the approval was refused
 */
public record ConfirmFormView(ProposalCard card, String runner, Optional<String> complaint) {
    /** Returns a form without any input. */
    public static ConfirmFormView of(ProposalCard card) {
        return new ConfirmFormView(card, "", Optional.empty());
    }
}
