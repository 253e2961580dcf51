package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.MemberPresence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What this gateway process knows of another one: whether it is alive, its session, and the members present there.
 * Guarded by {@link PeerRegistry}.
 */
final class PeerProcess {
    /** What is known of the process's liveness. */
    enum Liveness {
        /** The process is alive. */
        ALIVE,

        /** The process was alive when this process lost its own connection; it has not responded since. */
        UNCONFIRMED,

        /** The process announced its stop, or its lease expired. */
        GONE
    }

    /** The revision while the members present there are unknown. */
    static final long UNKNOWN_REVISION = -1;

    final String name;
    final Map<String, Map<String, MemberPresence>> presencesByTopic = new HashMap<>();
    Liveness liveness = Liveness.ALIVE;
    long session;
    long revision = UNKNOWN_REVISION;
    long lastMessageMillis;
    long lastRequestMillis;

    /** Responses to earlier requests do not show that the process is alive. */
    long minRequestId;

    /** The chunks of a presence response received so far. */
    List<BusMessage.TopicPresence> chunks = new ArrayList<>();

    int nextChunk;
    long chunkRevision = UNKNOWN_REVISION;

    PeerProcess(String name, long session, long now, long requestedAt) {
        this.name = name;
        this.session = session;
        this.lastMessageMillis = now;
        this.lastRequestMillis = requestedAt;
    }

    /** Adds a chunk of a presence response. Returns whether the response is complete. */
    boolean addChunk(BusMessage.PresenceResponse presenceResponse) {
        if (presenceResponse.index() == 0) {
            chunks = new ArrayList<>();
            nextChunk = 0;
            chunkRevision = presenceResponse.revision();
        }
        if (presenceResponse.index() != nextChunk || presenceResponse.revision() != chunkRevision) {
            // A chunk is missing, so the whole response is requested again later.
            chunkRevision = UNKNOWN_REVISION;
            return false;
        }
        nextChunk++;
        chunks.addAll(presenceResponse.presences());
        return presenceResponse.last();
    }
}
