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
 * Tracks where in the ledger the client resumes after reconnecting, and which later envelopes it has already received.
 * A gateway sends the envelopes about proposals in the order of the ledger, but they do not contain their seq. So the
 * client resumes after a seq up to which it has certainly received everything, and recognises later envelopes by their
 * ids. Such a seq is:
 *
 * <ul>
 *   <li>the seq of the first welcome: the gateway sends everything from there on;
 *   <li>the seq in the id of a notice from the gateway ({@code system:event-SEQ});
 *   <li>if neither arrives for long, the seq of a received envelope, which the client looks up on an event stream.
 * </ul>
 *
 * The seq of a later welcome is not suitable, since the connection may break before the gateway has sent all missed
 * envelopes. In this way nothing is lost. Nothing is delivered twice as long as at most {@link #MAX_KNOWN_IDS}
 * envelopes lie between the seq and the last received envelope. Not thread-safe.
 */
final class ReplayPosition {
    /** The maximum number of remembered ids. */
    static final int MAX_KNOWN_IDS = 16_384;

    /** The number of envelopes without a known seq after which a seq is looked up. */
    static final int LOOKUP_INTERVAL = 2_048;

    private static final String EVENT_ID_PREFIX = SystemMessage.RESERVED_ID_PREFIX + "event-";

    private final Set<String> receivedIds = new LinkedHashSet<>();
    private long seq;
    private int receivedSinceSeq;

    /** The number of envelopes received after {@link #seq} that certainly have a seq in the ledger. */
    private int numberedSinceSeq;

    /** Returns the seq after which the replay continues. */
    long seq() {
        return seq;
    }

    /**
     * Sets the seq after which everything will be received: at the start, and when the gateway cannot replay what was
     * missed.
     */
    void resetTo(long from) {
        seq = from;
        receivedSinceSeq = 0;
        numberedSinceSeq = 0;
    }

    /** Records a received envelope; returns false if it was received before. */
    boolean recordIfNew(Envelope envelope) {
        OptionalLong noticeSeq = seqFromId(envelope);
        if (noticeSeq.isPresent()) {
            boolean isNew = noticeSeq.getAsLong() > seq;
            reachedSeq(noticeSeq.getAsLong());
            return isNew;
        }
        if (!envelope.needsLedgerCheck()) {
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

    /** Ids of answers to plain requests need not be unique; together with the request's id they are. */
    private static String key(Envelope envelope) {
        return envelope.category() == KindCategory.RESPONSE
                ? envelope.id() + " " + String.join(" ", envelope.correlationIds())
                : envelope.id();
    }

    private void reachedSeq(long noticeSeq) {
        if (noticeSeq > seq) {
            resetTo(noticeSeq);
        }
    }

    /** Returns the lowest last seq that the ledger can have, given the received envelopes. */
    long reachedSeq() {
        return seq + numberedSinceSeq;
    }

    /** Whether this client has received more than a ledger with this last seq can contain. */
    boolean isAheadOf(long last) {
        return reachedSeq() > last;
    }

    /** Whether a seq should be looked up, since none was received for long. */
    boolean needsSeqLookup() {
        return receivedSinceSeq >= LOOKUP_INTERVAL;
    }

    /**
     * Advances to the highest seq whose envelope was received: a client that has received an envelope has received all
     * before it. That is not true for the client's own envelopes, which are echoed out of order when they are resent;
     * so the caller leaves these out.
     */
    void advance(Map<Envelope, Long> seqs) {
        receivedSinceSeq = 0;
        seqs.forEach((envelope, at) -> {
            if (receivedIds.contains(key(envelope))) {
                reachedSeq(at);
            }
        });
    }
}
