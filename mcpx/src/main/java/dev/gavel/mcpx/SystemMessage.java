package dev.gavel.mcpx;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A message the gateway itself sends: welcome, presence, error, proposal notice or resync. Immutable. */
public sealed interface SystemMessage {
    /** Whom these envelopes are from; no member's id has a colon. */
    String GATEWAY = "system:gateway";

    /** How the ids begin that can be foretold: were others to use them, they could hide what the gateway says. */
    String RESERVED_ID_PREFIX = "system:";

    /**
     * The first envelope a connection gets: who it is, who is here, what waits on it, and where the topic's ledger stands.
     *
     * @param omittedProposals how many proposals wait besides, that did not fit
     */
    record Welcome(
            ParticipantInfo you,
            List<ParticipantInfo> participantInfos,
            List<Payload> proposals,
            int omittedProposals,
            long seq)
            implements SystemMessage {
        public Welcome {
            participantInfos = List.copyOf(participantInfos);
            proposals = List.copyOf(proposals);
        }
    }

    /** Somebody came or went, or may do other things than before. */
    record Presence(PresenceEvent event, ParticipantInfo participantInfo) implements SystemMessage {}

    /** What somebody did, or what happened to them. */
    enum PresenceEvent {
        JOIN,
        LEAVE,
        /** Somebody who is here may send other things from now on. */
        UPDATE;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * An envelope was refused.
     *
     * @param envelope the id of the refused one, where known
     * @param proposal the proposal it was about, where it was about one
     * @param state how that proposal stands
     * @param retryAfterMs when to try again, where that makes sense
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

        /** The error for a refusal. */
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

        /** The same about a proposal that stands like this. */
        public Failure withProposal(String id, @Nullable String standing) {
            return new Failure(error, message, envelope, attemptedKind, yourCapabilities, id, standing, retryAfterMs);
        }

        /** The same with when to try again. */
        public Failure withRetryAfter(long millis) {
            return new Failure(error, message, envelope, attemptedKind, yourCapabilities, proposal, state, millis);
        }
    }

    /** The gateway's word on a proposal, to be found by its id as correlationId. */
    sealed interface ProposalNotice extends SystemMessage {
        /** The proposal's id. */
        String proposal();
    }

    /** Nobody took the proposal in time. */
    record Expired(String proposal) implements ProposalNotice {}

    /** Nobody connected could fulfil the proposal; these could if they were here. */
    record Unreachable(String proposal, List<String> couldFulfil) implements ProposalNotice {
        public Unreachable {
            couldFulfil = List.copyOf(couldFulfil);
        }
    }

    /** Somebody has come who could fulfil the proposal. */
    record Reachable(String proposal, List<String> couldFulfil) implements ProposalNotice {
        public Reachable {
            couldFulfil = List.copyOf(couldFulfil);
        }
    }

    /** Rejections closed the proposal. */
    record Rejected(String proposal, List<Rejection> reasons) implements ProposalNotice {
        public Rejected {
            reasons = List.copyOf(reasons);
        }
    }

    /** Who rejected a proposal, and why. */
    record Rejection(String from, String reason, @Nullable String note) {}

    /**
     * The events asked for are no longer all kept.
     *
     * @param oldest the first that is
     * @param seq the last there is
     */
    record Resync(long oldest, long seq) implements SystemMessage {}

    /** The kind it is sent as. */
    default Kind kind() {
        return SystemMessageEncoder.kind(this);
    }

    /** The envelope's bytes. */
    default byte[] encode(String id, Instant ts, List<String> to, SyntaxVersion syntaxVersion) {
        return SystemMessageEncoder.encode(this, id, ts, to, syntaxVersion);
    }
}
