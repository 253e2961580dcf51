package dev.gavel.mcpx;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A message that the gateway itself sends to participants: welcome, presence, error, notice about a proposal, or a gap
 * in the event history. Immutable.
 */
public sealed interface SystemMessage {
    /** The sender of these envelopes; a member id cannot equal it, because it contains no colon. */
    String GATEWAY = "system:gateway";

    /**
     * The prefix of predictable gateway ids. Members must not use it: an envelope with such an id could hide a message
     * of the gateway.
     */
    String RESERVED_ID_PREFIX = "system:";

    /**
     * The first envelope on a connection: the participant itself, the connected participants, the open proposals for
     * it, and the current sequence number of the topic's ledger.
     *
     * @param omittedProposals the number of further open proposals that did not fit
     */
    record Welcome(
            ParticipantInfo you,
            List<ParticipantInfo> participantInfos,
            List<RawPayload> proposals,
            int omittedProposals,
            long seq)
            implements SystemMessage {
        public Welcome {
            participantInfos = List.copyOf(participantInfos);
            proposals = List.copyOf(proposals);
        }
    }

    /** A participant joined, left or got other capabilities. */
    record Presence(PresenceEvent event, ParticipantInfo participantInfo) implements SystemMessage {}

    /** The change of a participant's presence. */
    enum PresenceEvent {
        JOIN,
        LEAVE,
        /** The capabilities of a connected participant changed. */
        UPDATE;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The gateway refused an envelope.
     *
     * @param envelope the id of the refused envelope, if known
     * @param proposal the proposal that the envelope refers to, if any
     * @param state the state of that proposal
     * @param retryAfterMs the delay after which a retry makes sense, in milliseconds, if any
     */
    record Failure(
            EnvelopeErrorCode error,
            String message,
            @Nullable String envelope,
            @Nullable Kind attemptedKind,
            @Nullable CapabilitySet yourCapabilities,
            @Nullable String proposal,
            @Nullable String state,
            @Nullable Long retryAfterMs)
            implements SystemMessage {

        /** Returns the error message for a refusal. */
        public static Failure of(EnvelopeRefusal refusal, @Nullable CapabilitySet yourCapabilities) {
            return new Failure(
                    refusal.code(),
                    refusal.message(),
                    refusal.id(),
                    refusal.kind(),
                    yourCapabilities,
                    null,
                    null,
                    null);
        }

        /** Returns a copy about a proposal in this state. */
        public Failure withProposal(String id, @Nullable String proposalState) {
            return new Failure(
                    error, message, envelope, attemptedKind, yourCapabilities, id, proposalState, retryAfterMs);
        }

        /** Returns a copy with the delay before a retry. */
        public Failure withRetryAfter(long millis) {
            return new Failure(error, message, envelope, attemptedKind, yourCapabilities, proposal, state, millis);
        }
    }

    /** A notice about a proposal, whose id is the correlation id. */
    sealed interface ProposalMessage extends SystemMessage {
        String proposal();
    }

    /** The proposal expired before a participant fulfilled it. */
    record Expired(String proposal) implements ProposalMessage {}

    /**
     * A participant approved the proposal while its caller was disconnected: the call runs when the caller calls again.
     *
     * @param envelope the id of the request that approves it; the notice confirms to its sender that it is stored
     */
    record ApprovalHeld(String proposal, String envelope) implements ProposalMessage {}

    /** The held approval cannot take effect any more, for this reason. The proposal must be decided again. */
    record ApprovalDropped(String proposal, String reason) implements ProposalMessage {}

    /**
     * The gateway withdrew the proposal, because its proposer lost its access, or its caller did not call again.
     *
     * @param reason how the access ended, or that the caller did not call again
     */
    record Withdrawn(String proposal, String reason) implements ProposalMessage {}

    /** No connected participant can fulfil the proposal; lists the members who could. */
    record Unreachable(String proposal, List<String> couldFulfil) implements ProposalMessage {
        public Unreachable {
            couldFulfil = List.copyOf(couldFulfil);
        }
    }

    /** A participant who can fulfil the proposal is connected now. */
    record Reachable(String proposal, List<String> couldFulfil) implements ProposalMessage {
        public Reachable {
            couldFulfil = List.copyOf(couldFulfil);
        }
    }

    /** Rejections closed the proposal. */
    record Rejected(String proposal, List<Rejection> reasons) implements ProposalMessage {
        public Rejected {
            reasons = List.copyOf(reasons);
        }
    }

    /** A rejection of a proposal with its sender and reason. */
    record Rejection(String from, String reason, @Nullable String note) {}

    /**
     * Some of the requested events are no longer stored.
     *
     * @param oldest the sequence number of the oldest stored event
     * @param seq the sequence number of the latest event
     */
    record Resync(long oldest, long seq) implements SystemMessage {}

    /** The kind of the envelope that carries it. */
    default Kind kind() {
        return SystemMessageEncoder.kind(this);
    }

    /** Encodes the message as an envelope. */
    default byte[] encode(String id, Instant ts, List<String> to, EnvelopeSyntax syntaxVersion) {
        return SystemMessageEncoder.encode(this, id, ts, to, syntaxVersion);
    }
}
