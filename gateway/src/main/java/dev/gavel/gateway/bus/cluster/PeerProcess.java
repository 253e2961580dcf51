package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.MemberPresence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What this process knows of another gateway process: liveness, session, and the members present there. Guarded by
 * {@link PeerRegistry}.
 */
final class PeerProcess {
    /** What is known of it. */
    enum Liveness {
        /** It lives. */
        HERE,

        /** It lived when this process lost its own connection; it has not answered since. */
        UNSURE,

        /** It took leave, or its lease ran out. */
        GONE
    }

    /** Nobody knows who is present there. */
    static final long UNKNOWN = -1;

    final String name;
    final Map<String, Map<String, MemberPresence>> present = new HashMap<>();
    Liveness liveness = Liveness.HERE;
    long session;
    long revision = UNKNOWN;
    long lastHeardMillis;
    long lastRequestMillis;

    /** What has come of an answer so far. */
    List<BusMessage.TopicPresence> chunks = new ArrayList<>();

    int nextChunk;
    long chunkRevision = UNKNOWN;

    PeerProcess(String name, long session, long now, long askedAt) {
        this.name = name;
        this.session = session;
        this.lastHeardMillis = now;
        this.lastRequestMillis = askedAt;
    }

    /** Adds a piece of an answer; gives whether all of it is there now. */
    boolean addChunk(BusMessage.PresenceResponse presenceResponse) {
        if (presenceResponse.index() == 0) {
            chunks = new ArrayList<>();
            nextChunk = 0;
            chunkRevision = presenceResponse.revision();
        }
        if (presenceResponse.index() != nextChunk || presenceResponse.revision() != chunkRevision) {
            // One is missing, so all of it is asked for once more, by and by.
            chunkRevision = UNKNOWN;
            return false;
        }
        nextChunk++;
        chunks.addAll(presenceResponse.present());
        return presenceResponse.last();
    }
}
