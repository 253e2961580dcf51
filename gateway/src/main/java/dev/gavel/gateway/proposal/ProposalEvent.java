package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Payload;
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
    default String by() {
        return SystemMessage.GATEWAY;
    }

    /** The id of the envelope that caused it, if there is one. */
    default @Nullable String reference() {
        return null;
    }

    /** The envelope that caused it, if this event carries it. */
    default @Nullable StoredEnvelope sent() {
        return null;
    }

    /** An event that always carries the envelope that caused it. */
    sealed interface EnvelopeEvent extends ProposalEvent {
        @Override
        StoredEnvelope sent();

        @Override
        default String by() {
            return sent().from();
        }

        @Override
        default String reference() {
            return sent().id();
        }

        /** The payload's bytes as they were sent. */
        default Payload payload() {
            return sent().envelope().payload();
        }
    }

    /** A member proposed a call. */
    record Proposed(StoredEnvelope sent, Instant expiresAt) implements EnvelopeEvent {}

    /**
     * A reviewer made the call by sending the request.
     *
     * @param edited whether its arguments differ from those proposed
     * @param answerBy when its outcome becomes unknown
     */
    record Fulfilled(StoredEnvelope sent, boolean edited, Instant answerBy) implements EnvelopeEvent {}

    /**
     * An addressee of the request answered.
     *
     * @param late whether the outcome was unknown already
     */
    record Answered(StoredEnvelope sent, boolean late) implements EnvelopeEvent {
        /** Whether the answer is a JSON-RPC error or a tool's {@code isError}. */
        public boolean failed() {
            return sent.envelope().payloadFields().failed();
        }
    }

    /** A reviewer rejected it. If that closes it, a {@link ClosedByRejections} follows. */
    record Rejected(
            String by,
            String reference,
            String reason,
            @Nullable String note,
            @Nullable StoredEnvelope sent) implements ProposalEvent {}

    /** The proposer withdrew it. */
    record Withdrawn(
            String by,
            String reference,
            @Nullable String reason,
            @Nullable StoredEnvelope sent) implements ProposalEvent {}

    /** A member reported its status on the proposal. */
    record StatusGiven(
            String by,
            String reference,
            String status,
            @Nullable String note,
            @Nullable StoredEnvelope sent) implements ProposalEvent {}

    /** Its time to live ended. */
    record Expired() implements ProposalEvent {}

    /** These rejections closed it. */
    record ClosedByRejections(List<SystemMessage.Rejection> reasons) implements ProposalEvent {
        public ClosedByRejections {
            reasons = List.copyOf(reasons);
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
    record Unreachable(List<String> couldFulfil) implements ProposalEvent {
        public Unreachable {
            couldFulfil = List.copyOf(couldFulfil);
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
