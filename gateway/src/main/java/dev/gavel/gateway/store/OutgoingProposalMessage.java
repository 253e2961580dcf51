package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalNotice;
import dev.gavel.gateway.proposal.RoutedEnvelope;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;

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

    /** Returns the bytes for a receiver of that syntax. */
    byte[] encode(EnvelopeSyntax syntaxVersion);

    /** An envelope that a member sent. */
    record EnvelopeMessage(long seq, RoutedEnvelope routedEnvelope) implements OutgoingProposalMessage {
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
    record NoticeMessage(long seq, Instant at, ProposalNotice notice) implements OutgoingProposalMessage {
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
