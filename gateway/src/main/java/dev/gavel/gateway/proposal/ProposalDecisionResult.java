package dev.gavel.gateway.proposal;

import java.util.List;
import java.util.Optional;

/** The result of a decision about proposals: events to append, errors, a duplicate to echo, or no change. */
public sealed interface ProposalDecisionResult {
    /**
     * This happened: first it is made durable, all or nothing; then it is told.
     *
     * @param routedEnvelope the envelope to deliver and to echo, if one caused this
     * @param errors one error for each proposal of several that it could not be done to
     */
    record Accepted(
            List<NewProposalEvent> newProposalEvents,
            Optional<RoutedEnvelope> routedEnvelope,
            List<ProposalNotice> notices,
            List<ProposalError> errors)
            implements ProposalDecisionResult {
        public Accepted {
            newProposalEvents = List.copyOf(newProposalEvents);
            notices = List.copyOf(notices);
            errors = List.copyOf(errors);
        }
    }

    /** Nothing happened; its sender gets these errors. */
    record Declined(List<ProposalError> errors) implements ProposalDecisionResult {
        public Declined {
            errors = List.copyOf(errors);
        }
    }

    /**
     * It was sent before: its sender is sent it once more, as it was delivered then, and nothing else happens.
     *
     * @param errors one error for each proposal of several that it was not done to
     */
    record Duplicate(StoredEnvelope storedEnvelope, List<ProposalError> errors) implements ProposalDecisionResult {
        public Duplicate {
            errors = List.copyOf(errors);
        }
    }

    /** There is nothing to do. */
    record Unchanged() implements ProposalDecisionResult {}
}
