package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalNotice;
import dev.gavel.gateway.proposal.RoutedEnvelope;
import dev.gavel.mcpx.SyntaxVersion;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;

/**
 * A message to send about a proposal event: a member's envelope or a notice from the gateway, the same whether sent
 * live or replayed. Immutable.
 */
public sealed interface ProposalEventMessage {
    /** The seq of the event it was first caused by: who has seen everything up to there need not be sent it. */
    long seq();

    /** Whether it goes to a participant who is only sent what is meant for them, or came from them. */
    boolean concerns(String participant);

    /** The bytes to send a receiver of that spelling. */
    byte[] encode(SyntaxVersion syntaxVersion);

    /** An envelope somebody sent. */
    record EnvelopeMessage(long seq, RoutedEnvelope routed) implements ProposalEventMessage {
        @Override
        public boolean concerns(String participant) {
            return routed.concerns(participant)
                    || routed.storedEnvelope().from().equals(participant);
        }

        @Override
        public byte[] encode(SyntaxVersion syntaxVersion) {
            return routed.encode(syntaxVersion);
        }
    }

    /** The gateway's own word; its id follows from its seq, so that who is sent it twice can tell. */
    record NoticeMessage(long seq, Instant at, ProposalNotice notice) implements ProposalEventMessage {
        @Override
        public boolean concerns(String participant) {
            return notice.to().isEmpty() || notice.to().contains(participant);
        }

        @Override
        public byte[] encode(SyntaxVersion syntaxVersion) {
            return notice.notice()
                    .encode(SystemMessage.RESERVED_ID_PREFIX + "event-" + seq, at, notice.to(), syntaxVersion);
        }
    }
}
