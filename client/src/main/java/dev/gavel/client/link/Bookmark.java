package dev.gavel.client.link;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.SystemMessage;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How far a participant has heard what happened to proposals, and what it has heard since. A gateway tells of that in the
 * ledger's order, but envelopes do not say their seq. So the place to go on from is a seq up to which everything was heard
 * for certain, and what was heard behind it is known by its id:
 *
 * <ul>
 *   <li>the first welcome's seq: from there on everything is sent;
 *   <li>the gateway's own notices, whose ids say their seq ({@code system:event-SEQ});
 *   <li>where neither comes for long, the seq of an envelope that was heard, as an event stream tells it.
 * </ul>
 *
 * A later welcome's seq would not do: the connection may break before what was missed has all been sent. Nothing is lost
 * so; nothing is handed on twice as long as no more than {@link #MOST} envelopes lie between that seq and the last. Not
 * thread-safe.
 */
final class Bookmark {
    /** How many ids are known. */
    static final int MOST = 16_384;

    /** After how many envelopes a seq is looked for. */
    static final int OFTEN = 2_048;

    private static final String EVENT = SystemMessage.RESERVED_ID + "event-";

    private final Set<String> heard = new LinkedHashSet<>();
    private long seq;
    private int since;

    /** How many envelopes were heard after that seq that have one of their own for certain. */
    private int numbered;

    /** After which seq to go on. */
    long seq() {
        return seq;
    }

    /** From this seq on everything will be heard: at first, and where the gateway cannot tell what was missed. */
    void begin(long from) {
        seq = from;
        since = 0;
        numbered = 0;
    }

    /** Notes that an envelope was heard; false where it was before. */
    boolean first(Envelope envelope) {
        OptionalLong told = toldSeq(envelope);
        if (told.isPresent()) {
            boolean news = told.getAsLong() > seq;
            reached(told.getAsLong());
            return news;
        }
        if (!envelope.mayBeLifecycle()) {
            return true;
        }
        if (!heard.add(key(envelope))) {
            return false;
        }
        since++;
        numbered += envelope.rule() == KindRule.RESPONSE ? 0 : 1;
        if (heard.size() > MOST) {
            Iterator<String> eldest = heard.iterator();
            eldest.next();
            eldest.remove();
        }
        return true;
    }

    private static OptionalLong toldSeq(Envelope envelope) {
        String id = envelope.id();
        if (envelope.rule() != KindRule.SYSTEM || !id.startsWith(EVENT)) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(id.substring(EVENT.length())));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Ids of answers to plain requests need not be unique; with the request's they are. */
    private static String key(Envelope envelope) {
        return envelope.rule() == KindRule.RESPONSE
                ? envelope.id() + " " + String.join(" ", envelope.correlationIds())
                : envelope.id();
    }

    private void reached(long told) {
        if (told > seq) {
            begin(told);
        }
    }

    /** How far the ledger reached at least, by what was heard. */
    long reached() {
        return seq + numbered;
    }

    /** Whether more was heard than a ledger of this last seq can have told. */
    boolean isBeyond(long last) {
        return reached() > last;
    }

    /** Whether a seq should be looked for, since none was told for long. */
    boolean isFarBehind() {
        return since >= OFTEN;
    }

    /**
     * Compares what was heard with what the ledger has: who has heard an envelope has heard everything before it. Not so
     * for envelopes of one's own, which are echoed out of turn when they are sent again; so these do not belong here.
     */
    void compare(Map<Envelope, Long> kept) {
        since = 0;
        kept.forEach((envelope, at) -> {
            if (heard.contains(key(envelope))) {
                reached(at);
            }
        });
    }
}
