package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event in the life of a proposal, as stored in the ledger. An event that an envelope caused carries the envelope.
 * If one envelope concerns several proposals, only the first one's event carries it, so that a long list of ids is not
 * stored once for each of them.
 */
public sealed interface ProposalEvent {
    /** The event type under which it is stored. */
    default String type() {
        return ProposalEventCodec.type(this);
    }

    /** The member that caused it; {@link SystemMessage#GATEWAY} if no member did. */
    default String actor() {
        return SystemMessage.GATEWAY;
    }

    /** The id of the envelope that caused it, if there is one. */
    default @Nullable String envelopeId() {
        return null;
    }

    /** The envelope that caused it, if this event carries it. */
    default @Nullable StoredEnvelope storedEnvelope() {
        return null;
    }

    /** An event that always carries the envelope that caused it. */
    sealed interface EnvelopeEvent extends ProposalEvent {
        @Override
        StoredEnvelope storedEnvelope();

        @Override
        default String actor() {
            return storedEnvelope().from();
        }

        @Override
        default String envelopeId() {
            return storedEnvelope().id();
        }

        /** The payload's bytes as they were sent. */
        default RawPayload payload() {
            return storedEnvelope().envelope().payload();
        }
    }

    /** A member proposed a call. */
    record Proposed(StoredEnvelope storedEnvelope, Instant expiresAt) implements EnvelopeEvent {}

    /**
     * A reviewer made the call by sending the request.
     *
     * @param edited whether its arguments differ from those proposed
     * @param answerDeadline when its outcome becomes unknown
     */
    record Fulfilled(StoredEnvelope storedEnvelope, boolean edited, Instant answerDeadline) implements EnvelopeEvent {}

    /**
     * An addressee of the request answered.
     *
     * @param late whether the outcome was unknown already
     */
    record Answered(StoredEnvelope storedEnvelope, boolean late) implements EnvelopeEvent {
        /** Whether the answer is a JSON-RPC error or a tool's {@code isError}. */
        public boolean failed() {
            return storedEnvelope.envelope().payloadFields().failed();
        }
    }

    /** A reviewer rejected it. If that closes it, a {@link ClosedByRejections} follows. */
    record Rejected(
            String actor,
            String envelopeId,
            String reason,
            @Nullable String note,
            @Nullable StoredEnvelope storedEnvelope)
            implements ProposalEvent {}

    /** The proposer withdrew it. */
    record Withdrawn(
            String actor,
            String envelopeId,
            @Nullable String reason,
            @Nullable StoredEnvelope storedEnvelope) implements ProposalEvent {}

    /** A member reported its status on the proposal. */
    record StatusReported(
            String actor,
            String envelopeId,
            String status,
            @Nullable String note,
            @Nullable StoredEnvelope storedEnvelope)
            implements ProposalEvent {}

    /** Its time to live ended. */
    record Expired() implements ProposalEvent {}

    /** These rejections closed it. */
    record ClosedByRejections(List<SystemMessage.Rejection> rejections) implements ProposalEvent {
        public ClosedByRejections {
            rejections = List.copyOf(rejections);
        }
    }

    /** The answer did not arrive in time, or the addressee left. */
    record OutcomeUnknown(Reason reason) implements ProposalEvent {
        /** Why the outcome is unknown. */
        public enum Reason {
            ADDRESSEE_LEFT,
            ANSWER_TIME_PASSED
        }
    }

    /** No member is connected who could decide it; these members could if they were connected. */
    record Unreachable(List<String> missingMembers) implements ProposalEvent {
        public Unreachable {
            missingMembers = List.copyOf(missingMembers);
        }
    }

    /** These members, who could decide it, are connected again. */
    record Reachable(List<String> couldFulfil) implements ProposalEvent {
        public Reachable {
            couldFulfil = List.copyOf(couldFulfil);
        }
    }

    /** Its result is forwarded to the proposer, who was instructed to request it again. Happens once. */
    record Forwarded() implements ProposalEvent {}

    /** Its result was not forwarded to the proposer, who had stopped waiting. */
    record NotForwarded(String reason) implements ProposalEvent {}
}
