package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Route;
import dev.gavel.gateway.proposal.Told;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;

/** Something to be sent about proposals, the same whenever and however often it is sent. Immutable. */
public sealed interface Message {
    /** The seq of the event it was first caused by: who has seen everything up to there need not be sent it. */
    long seq();

    /** Whether it goes to a participant who is only sent what is meant for them, or came from them. */
    boolean concerns(String participant);

    /** The bytes to send a receiver of that spelling. */
    byte[] encode(Spelling spelling);

    /** An envelope somebody sent. */
    record Envelope(long seq, Route route) implements Message {
        @Override
        public boolean concerns(String participant) {
            return route.concerns(participant) || route.sent().from().equals(participant);
        }

        @Override
        public byte[] encode(Spelling spelling) {
            return route.encode(spelling);
        }
    }

    /** The gateway's own word; its id follows from its seq, so that who is sent it twice can tell. */
    record Notice(long seq, Instant at, Told told) implements Message {
        @Override
        public boolean concerns(String participant) {
            return told.to().isEmpty() || told.to().contains(participant);
        }

        @Override
        public byte[] encode(Spelling spelling) {
            return told.notice().encode(SystemMessage.RESERVED_ID + "event-" + seq, at, told.to(), spelling);
        }
    }
}
