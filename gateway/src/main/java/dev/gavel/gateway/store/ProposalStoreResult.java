package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalError;
import dev.gavel.gateway.proposal.StoredEnvelope;
import java.time.Duration;
import java.util.List;

/** The result of a request to the proposal store: committed, declined, duplicate, unrelated or unavailable. */
public sealed interface ProposalStoreResult {
    /**
     * It is durable.
     *
     * @param messages what is to be sent of it, in order; none where nothing was to change
     * @param tracked how the proposals that changed stand now
     * @param changes what happened to which proposal, in order
     * @param errors what could not be done of it
     * @param firstSeq the first event's seq; 0 where there is none
     * @param lastSeq the last event's; 0 where there is none
     */
    record Committed(
            List<ProposalEventMessage> messages,
            List<TrackedProposal> tracked,
            List<ProposalChange> changes,
            List<ProposalError> errors,
            long firstSeq,
            long lastSeq)
            implements ProposalStoreResult {
        public Committed {
            messages = List.copyOf(messages);
            tracked = List.copyOf(tracked);
            changes = List.copyOf(changes);
            errors = List.copyOf(errors);
        }
    }

    /** Nothing happened, and this is why. */
    record Declined(List<ProposalError> errors) implements ProposalStoreResult {
        public Declined {
            errors = List.copyOf(errors);
        }
    }

    /**
     * It had been done before; this is what was sent then.
     *
     * @param errors what was not done of it
     * @param seq of the event it caused then
     */
    record Duplicate(StoredEnvelope storedEnvelope, List<ProposalError> errors, long seq)
            implements ProposalStoreResult {
        public Duplicate {
            errors = List.copyOf(errors);
        }
    }

    /** It is about no proposal: an answer to a request that fulfils none. */
    record Unrelated() implements ProposalStoreResult {}

    /** Nothing happened, through no fault of its sender. */
    record Unavailable(String reason, Duration retryAfter) implements ProposalStoreResult {}
}
