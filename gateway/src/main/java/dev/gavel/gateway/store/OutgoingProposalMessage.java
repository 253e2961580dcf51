package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalNotice;
import dev.gavel.gateway.proposal.RoutedEnvelope;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A message that tells participants about a proposal event: either an envelope that a member sent or a notice from the
 * gateway. Immutable.
 */
public sealed interface OutgoingProposalMessage {
    /**
     * The seq of the first event that caused it: a receiver that has seen everything up to this seq need not be sent
     * it.
     */
    long seq();

    /** Whether it is delivered to a participant that only receives its own envelopes and those addressed to it. */
    boolean concerns(String participant);

    /** The members that may read it; empty if all members of the topic may. */
    Optional<Set<String>> readers();

    /** Whether a member of the topic may read it. */
    default boolean isVisibleTo(String member) {
        return readers().isEmpty() || readers().get().contains(member);
    }

    /** Returns the bytes for a receiver of that syntax, with markers in place of secret arguments. */
    byte[] encode(EnvelopeSyntax syntaxVersion);

    /** The members that are sent another form of it, because its secret arguments are not hidden from them. */
    default Map<String, StoredEnvelope> formsByMember() {
        return Map.of();
    }

    /** Returns the bytes for one member's receiver of that syntax. */
    default byte[] encodeFor(String member, EnvelopeSyntax syntaxVersion) {
        StoredEnvelope form = formsByMember().get(member);
        return form == null ? encode(syntaxVersion) : form.encode(syntaxVersion);
    }

    /**
     * An envelope that a member sent.
     *
     * @param routedEnvelope the envelope with markers in place of its secret arguments
     * @param formsByMember the envelope for the members from which its secret arguments are not hidden; empty if it has
     *     none
     */
    record EnvelopeMessage(
            long seq,
            RoutedEnvelope routedEnvelope,
            Optional<Set<String>> readers,
            Map<String, StoredEnvelope> formsByMember)
            implements OutgoingProposalMessage {
        @Override
        public boolean concerns(String participant) {
            return routedEnvelope.concerns(participant)
                    || routedEnvelope.storedEnvelope().from().equals(participant);
        }

        @Override
        public byte[] encode(EnvelopeSyntax syntaxVersion) {
            return routedEnvelope.encode(syntaxVersion);
        }
    }

    /** A notice of the gateway. Its id is derived from its seq, so that a receiver can detect a duplicate. */
    record NoticeMessage(long seq, Instant at, ProposalNotice notice, Optional<Set<String>> readers)
            implements OutgoingProposalMessage {
        @Override
        public boolean concerns(String participant) {
            return notice.to().isEmpty() || notice.to().contains(participant);
        }

        @Override
        public byte[] encode(EnvelopeSyntax syntaxVersion) {
            return notice.systemMessage()
                    .encode(SystemMessage.RESERVED_ID_PREFIX + "event-" + seq, at, notice.to(), syntaxVersion);
        }
    }
}
