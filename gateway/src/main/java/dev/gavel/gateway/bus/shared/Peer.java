package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Stay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Another process, as far as it was heard of. Guarded by {@link Peers}. */
final class Peer {
    /** What is known of it. */
    enum Standing {
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
    final Map<String, Map<String, Stay>> present = new HashMap<>();
    Standing standing = Standing.HERE;
    long session;
    long revision = UNKNOWN;
    long heardAt;
    long askedAt;

    /** What has come of an answer so far. */
    List<Message.Presence> pieces = new ArrayList<>();

    int nextPiece;
    long revisionOfPieces = UNKNOWN;

    Peer(String name, long session, long now, long askedAt) {
        this.name = name;
        this.session = session;
        this.heardAt = now;
        this.askedAt = askedAt;
    }

    /** Adds a piece of an answer; gives whether all of it is there now. */
    boolean add(Message.Answer answer) {
        if (answer.index() == 0) {
            pieces = new ArrayList<>();
            nextPiece = 0;
            revisionOfPieces = answer.revision();
        }
        if (answer.index() != nextPiece || answer.revision() != revisionOfPieces) {
            // One is missing, so all of it is asked for once more, by and by.
            revisionOfPieces = UNKNOWN;
            return false;
        }
        nextPiece++;
        pieces.addAll(answer.present());
        return answer.last();
    }
}
