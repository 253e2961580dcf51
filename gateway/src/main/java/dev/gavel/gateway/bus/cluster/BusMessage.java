package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.ledger.AppendedRange;
import java.util.List;

/** A message between gateway processes: an envelope, a ledger write, a heartbeat or a presence update. Immutable. */
sealed interface BusMessage {
    /** An envelope; the channel determines the topic. */
    record EnvelopeMessage(ForwardedEnvelope envelope) implements BusMessage {}

    /** The process has written to the ledger. */
    record LedgerWritten(AppendedRange appendedRange) implements BusMessage {}

    /**
     * The process is alive.
     *
     * @param revision the number of presence changes in that process so far
     */
    record Heartbeat(long revision) implements BusMessage {}

    /**
     * The process is alive and requests the presence of the other processes.
     *
     * @param requestId increases with each request of the process
     */
    record PresenceRequest(long requestId, long revision) implements BusMessage {}

    /** A member is present, or its presence has changed. */
    record MemberJoined(long revision, String topic, MemberPresence presence) implements BusMessage {}

    /** A member is no longer present. */
    record MemberLeft(long revision, String topic, String member) implements BusMessage {}

    /**
     * The members present in a process, or one chunk of them.
     *
     * @param requestId of the request: it identifies responses to an earlier request that arrive late
     * @param revision the revision that the response describes once its last chunk has arrived
     * @param index of the chunk, from 0
     */
    record PresenceResponse(long requestId, long revision, int index, boolean last, List<TopicPresence> presences)
            implements BusMessage {
        public PresenceResponse {
            presences = List.copyOf(presences);
        }
    }

    /** The process stops. */
    record ProcessStopping() implements BusMessage {}

    /** A member's presence in a topic. */
    record TopicPresence(String topic, MemberPresence presence) {}

    /**
     * A message with the process that sent it.
     *
     * @param session the number of the sending process's connection: it identifies messages of an earlier connection
     *     that arrive late
     */
    record ReceivedMessage(String process, long session, BusMessage message) {}
}
