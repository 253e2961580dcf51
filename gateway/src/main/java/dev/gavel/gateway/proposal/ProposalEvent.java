package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event in the life of a proposal, as stored in the ledger. Events that an envelope caused carry it; where one
 * envelope is about several proposals only the first one's event does, so that a long list of ids is not kept once for
 * each of them.
 */
public sealed interface ProposalEvent {
    /** The word it is kept under. */
    default String type() {
        return ProposalEventCodec.type(this);
    }

    /** Who did it; {@link SystemMessage#GATEWAY} where nobody did. */
    default String by() {
        return SystemMessage.GATEWAY;
    }

    /** The id of the envelope that caused it, if one did. */
    default @Nullable String reference() {
        return null;
    }

    /** The envelope that caused it, where this event carries it. */
    default @Nullable StoredEnvelope sent() {
        return null;
    }

    /** An event that an envelope of its own caused. */
    sealed interface Enveloped extends ProposalEvent {
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

    /** Somebody proposed a call. */
    record Proposed(StoredEnvelope sent, Instant expiresAt) implements Enveloped {}

    /**
     * Somebody made the call, by sending the request.
     *
     * @param edited whether its arguments are others than those proposed
     * @param answerBy when its outcome counts as unknown
     */
    record Fulfilled(StoredEnvelope sent, boolean edited, Instant answerBy) implements Enveloped {}

    /**
     * One the request was addressed to answered.
     *
     * @param late whether the outcome counted as unknown already
     */
    record Answered(StoredEnvelope sent, boolean late) implements Enveloped {
        /** Whether the answer is a JSON-RPC error or a tool's {@code isError}. */
        public boolean failed() {
            return sent.envelope().payloadFields().failed();
        }
    }

    /** Somebody rejected it; whether that closes it, {@link ClosedByRejections} says. */
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

    /** Somebody said what they are doing about it. */
    record StatusGiven(
            String by,
            String reference,
            String status,
            @Nullable String note,
            @Nullable StoredEnvelope sent) implements ProposalEvent {}

    /** Its time ran out. */
    record Expired() implements ProposalEvent {}

    /** Rejections ended it: these. */
    record ClosedByRejections(List<SystemMessage.Rejection> reasons) implements ProposalEvent {
        public ClosedByRejections {
            reasons = List.copyOf(reasons);
        }
    }

    /** No answer is expected any more. */
    record OutcomeUnknown(Reason why) implements ProposalEvent {
        /** Why no answer is expected. */
        public enum Reason {
            ADDRESSEE_LEFT,
            ANSWER_TIME_PASSED
        }
    }

    /** Nobody is connected who could take it; these could if they were here. */
    record Unreachable(List<String> couldFulfil) implements ProposalEvent {
        public Unreachable {
            couldFulfil = List.copyOf(couldFulfil);
        }
    }

    /** Somebody is connected again who could take it: these. */
    record Reachable(List<String> couldFulfil) implements ProposalEvent {
        public Reachable {
            couldFulfil = List.copyOf(couldFulfil);
        }
    }

    /** What came of it is handed on to the proposer, who was told to ask for it again. Happens once. */
    record Forwarded() implements ProposalEvent {}

    /** What came of it was not handed on to the proposer, who had stopped waiting. */
    record NotForwarded(String why) implements ProposalEvent {}
}
