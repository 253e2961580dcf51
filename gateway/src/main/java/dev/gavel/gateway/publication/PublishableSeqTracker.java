package dev.gavel.gateway.publication;

import java.util.Map;
import java.util.TreeMap;

/**
 * Tracks up to which sequence number a topic may publish events: their writing processes have announced them, or the
 * announcement timed out. Confined to the topic's loop.
 */
final class PublishableSeqTracker {
    /** Announced ranges that are not published yet: last seqs by first seqs. */
    private final TreeMap<Long, Long> announcedRanges = new TreeMap<>();

    private long timedOutUpTo;

    /** Adds a range that its writing process announced. */
    void add(long first, long last) {
        announcedRanges.merge(first, last, Math::max);
    }

    /** Marks events up to this seq as publishable: their announcement did not arrive within the timeout. */
    void markTimedOut(long last) {
        timedOutUpTo = Math.max(timedOutUpTo, last);
    }

    /** Returns the last seq that may be published, given the last published seq. */
    long publishableUpTo(long publishedSeq) {
        return Math.max(announcedUpTo(Math.max(publishedSeq, timedOutUpTo)), publishedSeq);
    }

    /** Returns the last announced seq without a gap, given the last published seq. */
    long announcedUpTo(long publishedSeq) {
        long upTo = publishedSeq;
        for (Map.Entry<Long, Long> next = announcedRanges.floorEntry(upTo + 1);
                next != null && next.getValue() > upTo;
                next = announcedRanges.floorEntry(upTo + 1)) {
            upTo = next.getValue();
        }
        return upTo;
    }

    /** Discards the ranges up to this seq, which have been published. */
    void discardUpTo(long seq) {
        while (!announcedRanges.isEmpty() && announcedRanges.firstEntry().getValue() <= seq) {
            announcedRanges.pollFirstEntry();
        }
    }

    /** Discards everything, because the announcements were wrong. */
    void clear() {
        announcedRanges.clear();
        timedOutUpTo = 0;
    }
}
