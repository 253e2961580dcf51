package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalRefusal;
import dev.gavel.gateway.proposal.RejectionEffect;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.gateway.tool.EditedArgumentsCheck;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The proposal store's answer to a submitted envelope or change: committed, declined, a duplicate, equal to another
 * proposal, about no proposal, or unavailable.
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
     * @param rejectionEffects for a rejection, what it did to each proposal
     */
    record Committed(
            List<OutgoingProposalMessage> messages,
            List<InMemoryPendingProposal> trackedProposals,
            List<AppliedProposalEvent> changes,
            List<ProposalRefusal> errors,
            long firstSeq,
            long lastSeq,
            List<RejectionEffect> rejectionEffects)
            implements ProposalStoreResult {
        public Committed {
            rejectionEffects = List.copyOf(rejectionEffects);
            messages = List.copyOf(messages);
            trackedProposals = List.copyOf(trackedProposals);
            changes = List.copyOf(changes);
            errors = List.copyOf(errors);
        }
    }

    /**
     * The envelope was refused, for these reasons.
     *
     * @param expiries the expiries that the refusal recorded, because it told the sender of them; without events if
     *     there are none
     */
    record Declined(List<ProposalRefusal> errors, Committed expiries) implements ProposalStoreResult {
        public Declined {
            errors = List.copyOf(errors);
        }
    }

    /**
     * The envelope was accepted before; {@code storedEnvelope} is what was sent then.
     *
     * @param errors the errors of the parts that were refused
     * @param seq the seq of the event that it caused then
     * @param rejectionEffects for a rejection, its effect on each proposal, as the proposals are now
     * @param heldNotice for an approval that has not taken effect yet, the notice that confirms it. Its envelope is not
     *     echoed, because the echo of a request to its sender would be the request to run the call
     */
    record Duplicate(
            StoredEnvelope storedEnvelope,
            List<ProposalRefusal> errors,
            long seq,
            List<RejectionEffect> rejectionEffects,
            Optional<OutgoingProposalMessage> heldNotice)
            implements ProposalStoreResult {
        public Duplicate {
            rejectionEffects = List.copyOf(rejectionEffects);
            errors = List.copyOf(errors);
        }
    }

    /**
     * Nothing was stored: a client waits for an equal proposal already, and the new call is to join it.
     *
     * @param proposal the id of that proposal
     * @param seq the seq of its last event
     */
    record EqualProposal(String proposal, long seq) implements ProposalStoreResult {}

    /** Nothing is decided yet: the edited arguments must be checked first, and the envelope submitted again. */
    record ArgumentCheckRequired(EditedArgumentsCheck request) implements ProposalStoreResult {}

    /** Nothing is decided yet: an earlier envelope of the same sender must be decided first; see {@link SenderOrderBarrier}. */
    record Deferred() implements ProposalStoreResult {}

    /**
     * The envelope concerns no proposal: a response to a request that fulfils none. Also the result of {@link
     * ProposalStore#whenPendingDone}, which is about no envelope.
     */
    record Unrelated() implements ProposalStoreResult {}

    /** Nothing changed, for a reason that the sender did not cause. */
    record Unavailable(String reason, Duration retryAfter) implements ProposalStoreResult {}
}
