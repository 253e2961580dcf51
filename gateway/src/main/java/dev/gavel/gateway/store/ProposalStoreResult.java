package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalRefusal;
import dev.gavel.gateway.proposal.StoredEnvelope;
import java.time.Duration;
import java.util.List;

/**
 * The proposal store's answer to a submitted envelope or change: committed, declined, a duplicate, about no proposal,
 * or unavailable.
 */
public sealed interface ProposalStoreResult {
    /**
     * The decision is durable.
     *
     * @param messages the messages to send, in order; empty if nothing changed
     * @param trackedProposals the changed proposals as they are now
     * @param changes the events with the proposals after them, in order
     * @param errors the errors of the parts that were refused
     * @param firstSeq the first event's seq; 0 if there are no events
     * @param lastSeq the last event's seq; 0 if there are no events
     */
    record Committed(
            List<OutgoingProposalMessage> messages,
            List<InMemoryPendingProposal> trackedProposals,
            List<AppliedProposalEvent> changes,
            List<ProposalRefusal> errors,
            long firstSeq,
            long lastSeq)
            implements ProposalStoreResult {
        public Committed {
            messages = List.copyOf(messages);
            trackedProposals = List.copyOf(trackedProposals);
            changes = List.copyOf(changes);
            errors = List.copyOf(errors);
        }
    }

    /** Nothing changed, for these reasons. */
    record Declined(List<ProposalRefusal> errors) implements ProposalStoreResult {
        public Declined {
            errors = List.copyOf(errors);
        }
    }

    /**
     * The envelope was accepted before; {@code storedEnvelope} is what was sent then.
     *
     * @param errors the errors of the parts that were refused
     * @param seq the seq of the event that it caused then
     */
    record Duplicate(StoredEnvelope storedEnvelope, List<ProposalRefusal> errors, long seq)
            implements ProposalStoreResult {
        public Duplicate {
            errors = List.copyOf(errors);
        }
    }

    /**
     * The envelope concerns no proposal: a response to a request that fulfils none. Also the result of {@link
     * ProposalStore#whenPendingDone}, which is about no envelope.
     */
    record Unrelated() implements ProposalStoreResult {}

    /** Nothing changed, for a reason that the sender did not cause. */
    record Unavailable(String reason, Duration retryAfter) implements ProposalStoreResult {}
}
