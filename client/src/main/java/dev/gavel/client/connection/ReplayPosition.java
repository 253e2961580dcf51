package dev.gavel.client.connection;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.SystemMessage;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Tracks the ledger seq up to which the client has received everything, and the ids of envelopes received after it. A
 * gateway tells of that in the ledger's order, but envelopes do not say their seq. So the place to go on from is a seq
 * up to which everything was heard for certain, and what was heard behind it is known by its id:
 *
 * <ul>
 *   <li>the first welcome's seq: from there on everything is sent;
 *   <li>the gateway's own notices, whose ids say their seq ({@code system:event-SEQ});
 *   <li>where neither comes for long, the seq of an envelope that was heard, as an event stream tells it.
 * </ul>
 *
 * A later welcome's seq would not do: the connection may break before what was missed has all been sent. Nothing is lost
 * so; nothing is handed on twice as long as no more than {@link #MAX_KNOWN_IDS} envelopes lie between that seq and the last. Not
 * thread-safe.
 */
final class ReplayPosition {
    /** How many ids are known. */
    static final int MAX_KNOWN_IDS = 16_384;

    /** After how many envelopes a seq is looked for. */
    static final int LOOKUP_INTERVAL = 2_048;

    private static final String EVENT_ID_PREFIX = SystemMessage.RESERVED_ID_PREFIX + "event-";

    private final Set<String> receivedIds = new LinkedHashSet<>();
    private long seq;
    private int receivedSinceSeq;

    /** How many envelopes were heard after that seq that have one of their own for certain. */
    private int numberedSinceSeq;

    /** After which seq to go on. */
    long seq() {
        return seq;
    }

    /** From this seq on everything will be heard: at first, and where the gateway cannot tell what was missed. */
    void resetTo(long from) {
        seq = from;
        receivedSinceSeq = 0;
        numberedSinceSeq = 0;
    }

    /** Notes that an envelope was heard; false where it was before. */
    boolean recordIfNew(Envelope envelope) {
        OptionalLong told = seqFromId(envelope);
        if (told.isPresent()) {
            boolean news = told.getAsLong() > seq;
            reachedSeq(told.getAsLong());
            return news;
        }
        if (!envelope.mayAffectProposal()) {
            return true;
        }
        if (!receivedIds.add(key(envelope))) {
            return false;
        }
        receivedSinceSeq++;
        numberedSinceSeq += envelope.category() == KindCategory.RESPONSE ? 0 : 1;
        if (receivedIds.size() > MAX_KNOWN_IDS) {
            Iterator<String> eldest = receivedIds.iterator();
            eldest.next();
            eldest.remove();
        }
        return true;
    }

    private static OptionalLong seqFromId(Envelope envelope) {
        String id = envelope.id();
        if (envelope.category() != KindCategory.SYSTEM || !id.startsWith(EVENT_ID_PREFIX)) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(id.substring(EVENT_ID_PREFIX.length())));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Ids of answers to plain requests need not be unique; with the request's they are. */
    private static String key(Envelope envelope) {
        return envelope.category() == KindCategory.RESPONSE
                ? envelope.id() + " " + String.join(" ", envelope.correlationIds())
                : envelope.id();
    }

    private void reachedSeq(long told) {
        if (told > seq) {
            resetTo(told);
        }
    }

    /** How far the ledger reached at least, by what was heard. */
    long reachedSeq() {
        return seq + numberedSinceSeq;
    }

    /** Whether more was heard than a ledger of this last seq can have told. */
    boolean isAheadOf(long last) {
        return reachedSeq() > last;
    }

    /** Whether a seq should be looked for, since none was told for long. */
    boolean needsSeqLookup() {
        return receivedSinceSeq >= LOOKUP_INTERVAL;
    }

    /**
     * Compares what was heard with what the ledger has: who has heard an envelope has heard everything before it. Not so
     * for envelopes of one's own, which are echoed out of turn when they are sent again; so these do not belong here.
     */
    void advance(Map<Envelope, Long> kept) {
        receivedSinceSeq = 0;
        kept.forEach((envelope, at) -> {
            if (receivedIds.contains(key(envelope))) {
                reachedSeq(at);
            }
        });
    }
}
