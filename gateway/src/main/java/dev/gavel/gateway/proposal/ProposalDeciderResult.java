package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.EditedArgumentsCheck;
import java.util.List;
import java.util.Optional;

/**
 * What the {@code ProposalDecider} decided: events to append, errors for the sender, a duplicate envelope to echo, or
 * no change.
 */
public sealed interface ProposalDeciderResult {
    /**
     * The decider accepted the command and returns its events. The caller appends them atomically, and publishes them
     * once they are durable.
     *
     * @param routedEnvelope the envelope to deliver and to echo, if an envelope caused the events
     * @param errors one error for each proposal of a batch that was refused
     * @param rejectionEffects for a rejection, what it did to each proposal
     */
    record Accepted(
            List<UncommittedProposalEvent> uncommittedProposalEvents,
            Optional<RoutedEnvelope> routedEnvelope,
            List<ProposalNotice> notices,
            List<ProposalRefusal> errors,
            List<RejectionEffect> rejectionEffects)
            implements ProposalDeciderResult {
        public Accepted {
            rejectionEffects = List.copyOf(rejectionEffects);
            uncommittedProposalEvents = List.copyOf(uncommittedProposalEvents);
            notices = List.copyOf(notices);
            errors = List.copyOf(errors);
        }
    }

    /** Nothing changes; the sender gets these errors. */
    record Refused(List<ProposalRefusal> errors) implements ProposalDeciderResult {
        public Refused {
            errors = List.copyOf(errors);
        }
    }

    /**
     * The envelope was sent before. The sender is sent it again as it was delivered then, and nothing else happens.
     *
     * @param errors one error for each proposal of a batch that was refused
     * @param rejectionEffects for a rejection, its effect on each proposal, as the proposals are now
     */
    record Duplicate(
            StoredEnvelope storedEnvelope, List<ProposalRefusal> errors, List<RejectionEffect> rejectionEffects)
            implements ProposalDeciderResult {
        public Duplicate {
            rejectionEffects = List.copyOf(rejectionEffects);
            errors = List.copyOf(errors);
        }
    }

    /**
     * The envelope approves a call with edited arguments. The caller checks them, away from the writer's thread, and
     * submits the envelope again with the result.
     */
    record ArgumentCheckRequired(EditedArgumentsCheck request) implements ProposalDeciderResult {}

    /** Nothing changes. */
    record Unchanged() implements ProposalDeciderResult {}
}
