package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
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

    /** The envelope that caused it, as its sender sent it, if this event carries it. */
    default @Nullable StoredEnvelope sentEnvelope() {
        return storedEnvelope();
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

    /**
     * A member proposed a call.
     *
     * @param secrets the patterns of its secret arguments, from the configuration and the tool's schema at that time
     * @param tools the definitions of the proposed tool by the participants that offered it then
     */
    record Proposed(
            StoredEnvelope storedEnvelope,
            Instant expiresAt,
            SecretArgumentPatterns secrets,
            List<RecordedToolDefinition> tools)
            implements EnvelopeEvent {
        public Proposed {
            tools = List.copyOf(tools);
        }

        /** Creates the event for a call without secret arguments. */
        public Proposed(StoredEnvelope storedEnvelope, Instant expiresAt) {
            this(storedEnvelope, expiresAt, SecretArgumentPatterns.NONE, List.of());
        }

        /** Returns the event with markers in place of the secret arguments. */
        Proposed redacted(SecretArgumentPatterns patterns) {
            return new Proposed(storedEnvelope.withPayload(patterns.redact(payload())), expiresAt, secrets, tools);
        }
    }

    /**
     * A reviewer made the call by sending the request.
     *
     * @param edited whether its arguments differ from those proposed
     * @param answerDeadline when its outcome becomes unknown
     * @param secrets the patterns of its secret arguments
     * @param editCheck how the edit was checked; null if there is no edit, and in events of earlier versions
     * @param tools the definitions of the tool that the approval is for, by the participants that run it
     * @param sentPayload the payload as the reviewer sent it, if it had markers that the gateway replaced by the
     *     proposed values
     * @param redirectedFrom the participants that were to run the call, if it runs on another one. Recorded, because it
     *     depends on the members and their capabilities at this time
     */
    record Fulfilled(
            StoredEnvelope storedEnvelope,
            boolean edited,
            Instant answerDeadline,
            SecretArgumentPatterns secrets,
            @Nullable EditCheck editCheck,
            List<RecordedToolDefinition> tools,
            @Nullable RawPayload sentPayload,
            List<String> redirectedFrom)
            implements EnvelopeEvent {
        public Fulfilled {
            tools = List.copyOf(tools);
            redirectedFrom = List.copyOf(redirectedFrom);
        }

        /** Creates the event for a call without secret arguments. */
        public Fulfilled(StoredEnvelope storedEnvelope, boolean edited, Instant answerDeadline) {
            this(storedEnvelope, edited, answerDeadline, SecretArgumentPatterns.NONE, null, List.of(), null, List.of());
        }

        /** Returns the approval with another time for the answer. */
        Fulfilled withAnswerDeadline(Instant deadline) {
            return new Fulfilled(
                    storedEnvelope, edited, deadline, secrets, editCheck, tools, sentPayload, redirectedFrom);
        }

        /** Whether a reviewer that runs the call itself receives the values in place of the markers that it sent. */
        boolean revealsSecretsToRunner() {
            return sentPayload != null && storedEnvelope.to().contains(storedEnvelope.from());
        }

        @Override
        public StoredEnvelope sentEnvelope() {
            return sentPayload == null ? storedEnvelope : storedEnvelope.withPayload(sentPayload);
        }

        /**
         * Returns the event with markers in place of the secret arguments.
         *
         * @param proposed the payload as proposed
         */
        Fulfilled redacted(SecretArgumentPatterns patterns, RawPayload proposed) {
            return new Fulfilled(
                    storedEnvelope.withPayload(patterns.redact(payload(), proposed)),
                    edited,
                    answerDeadline,
                    secrets,
                    editCheck,
                    tools,
                    null,
                    redirectedFrom);
        }
    }

    /** A member that could approve the call was shown its secret arguments. Recorded before they are shown. */
    record SecretsRevealed(String actor) implements ProposalEvent {}

    /** How a reviewer's edit was checked against the tool's schema. */
    enum EditCheck {
        /** The edited arguments match the schema. */
        PASSED,
        /** The reviewer asked not to check them. */
        UNCHECKED,
        /**
         * They could not be checked: no participant that runs the call lists the tool with a schema that restricts its
         * arguments.
         */
        NO_SCHEMA;

        /** The name in JSON. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

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

    /**
     * A participant that ran the call reported that the call was cancelled while it ran. It may have run nevertheless, so
     * the outcome is unknown, and a later answer counts.
     */
    record RunCancelled(StoredEnvelope storedEnvelope) implements EnvelopeEvent {}

    /** A reviewer rejected it. If that closes it, a {@link ClosedByRejections} follows. */
    record Rejected(
            String actor,
            String envelopeId,
            String reason,
            @Nullable String note,
            @Nullable StoredEnvelope storedEnvelope)
            implements ProposalEvent {}

    /**
     * The proposer withdrew it; or the gateway did, because the proposer lost its access.
     *
     * @param envelopeId the proposer's envelope; null if the gateway withdrew it
     */
    record Withdrawn(
            String actor,
            @Nullable String envelopeId,
            @Nullable String reason,
            @Nullable StoredEnvelope storedEnvelope) implements ProposalEvent {
        /** The gateway withdrew it, because no client waits for it any more. */
        static final Withdrawn CALLER_DID_NOT_RETURN =
                byGateway("the caller lost its connection and did not call again in time");

        /** The gateway withdrew it for this reason. */
        static Withdrawn byGateway(String reason) {
            return new Withdrawn(SystemMessage.GATEWAY, null, reason, null);
        }

        /** Whether the gateway withdrew it, not the proposer. */
        public boolean isByGateway() {
            return envelopeId == null;
        }
    }

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
            ANSWER_TIME_PASSED,
            /** The call was cancelled while it ran; see {@link RunCancelled}. */
            CANCELLED
        }
    }

    /**
     * No member is connected who could decide it; these members could if they were connected. Only older ledgers contain
     * this event: now it is derived from presence ({@link ProposalReachability}).
     */
    record Unreachable(List<String> missingMembers) implements ProposalEvent {
        public Unreachable {
            missingMembers = List.copyOf(missingMembers);
        }
    }

    /** These members, who could decide it, are connected again. Only older ledgers contain this event. */
    record Reachable(List<String> couldFulfil) implements ProposalEvent {
        public Reachable {
            couldFulfil = List.copyOf(couldFulfil);
        }
    }

    /**
     * The MCP client that made the call lost its connection, and repeated the call: it waits at another process now.
     *
     * @param process the id of that process
     */
    record CallerWaits(String process) implements ProposalEvent {}

    /**
     * The MCP client that made the call lost its connection at this process, and may call again. Until it does, the call
     * must not run.
     *
     * @param process the id of the process at which the client waited
     * @param deadline when the proposal is withdrawn, unless the client calls again; null if it stays open until it
     *     expires
     */
    record CallerDisconnected(String process, @Nullable Instant deadline) implements ProposalEvent {}

    /**
     * A reviewer approved the call while its caller was disconnected: the approval takes effect when the caller calls
     * again.
     *
     * @param approval the event that follows then
     * @param tokenHash the hash of the token with which the reviewer sent it, which must be valid then; null if the
     *     process itself sent it
     */
    record ApprovalHeld(Fulfilled approval, @Nullable String tokenHash) implements ProposalEvent {
        @Override
        public String actor() {
            return approval.actor();
        }

        @Override
        public String envelopeId() {
            return approval.envelopeId();
        }

        @Override
        public StoredEnvelope storedEnvelope() {
            return approval.storedEnvelope();
        }

        @Override
        public StoredEnvelope sentEnvelope() {
            return approval.sentEnvelope();
        }
    }

    /** The held approval cannot take effect any more, for this reason: a reviewer has to decide again. */
    record HeldApprovalDropped(String reason) implements ProposalEvent {}

    /**
     * A process forwards its result to an MCP client of the proposer. A later {@link NotForwarded} of the process revokes
     * this.
     *
     * @param process the id of the process; empty in events of earlier versions
     */
    record Forwarded(String process) implements ProposalEvent {
        /** Creates the event of an earlier version. */
        public Forwarded() {
            this("");
        }
    }

    /**
     * Its result was not forwarded to the proposer, who had stopped waiting.
     *
     * @param process the id of the process whose {@link Forwarded} this revokes; empty if it revokes that of all
     *     processes, or if there was none
     */
    record NotForwarded(String reason, String process) implements ProposalEvent {
        /** Creates the event for a result that no process forwarded. */
        public NotForwarded(String reason) {
            this(reason, "");
        }
    }
}
