package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.ledger.AppendedRange;
import java.util.List;

/** A message between gateway processes: an envelope, a ledger write, a heartbeat or a presence update. Immutable. */
sealed interface BusMessage {
    /** An envelope; the channel says in which topic. */
    record EnvelopeMessage(BusEnvelope envelope) implements BusMessage {}

    /** The ledger has grown. */
    record LedgerWritten(AppendedRange appendedRange) implements BusMessage {}

    /**
     * The process lives.
     *
     * @param revision how often it changed who is present there
     */
    record Heartbeat(long revision) implements BusMessage {}

    /** The process wants to know who is present elsewhere; and it lives. */
    record PresenceRequest(long revision) implements BusMessage {}

    /** A member is present, or is so in another way. */
    record MemberJoined(long revision, String topic, MemberPresence presence) implements BusMessage {}

    /** A member is present no more. */
    record MemberLeft(long revision, String topic, String member) implements BusMessage {}

    /**
     * Who is present, or one piece of it.
     *
     * @param requestSession the session of the asker's in which it asked
     * @param revision what it is the state of, once the last piece is there
     * @param index counts pieces, from 0
     */
    record PresenceResponse(long requestSession, long revision, int index, boolean last, List<TopicPresence> present)
            implements BusMessage {
        public PresenceResponse {
            present = List.copyOf(present);
        }
    }

    /** The process ends. */
    record ProcessStopping() implements BusMessage {}

    /** A member's being present in a topic. */
    record TopicPresence(String topic, MemberPresence presence) {}

    /**
     * A message with who sent it.
     *
     * @param session counts the connections of its process: what came by an earlier one and arrives late is told by it
     */
    record ReceivedMessage(String process, long session, BusMessage message) {}
}
