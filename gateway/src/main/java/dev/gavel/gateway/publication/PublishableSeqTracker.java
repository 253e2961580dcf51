package dev.gavel.gateway.publication;

import java.util.Map;
import java.util.TreeMap;

/**
 * Tracks up to which seq a topic's events may be published: announced by their writing process without a gap, or waited
 * for long enough. Confined to the topic's loop.
 */
final class PublishableSeqTracker {
    /** What was said beyond a gap: last seqs by first ones. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    private long timedOutUpTo;

    /** Somebody wrote these. */
    void add(long first, long last) {
        ranges.merge(first, last, Math::max);
    }

    /** Nobody said who wrote up to here, and it has been waited for. */
    void markTimedOut(long last) {
        timedOutUpTo = Math.max(timedOutUpTo, last);
    }

    /** Up to where may be told, everything up to a seq having been told. */
    long publishableUpTo(long told) {
        return Math.max(announcedUpTo(Math.max(told, timedOutUpTo)), told);
    }

    /** Up to where it was said who wrote, everything up to a seq having been told. */
    long announcedUpTo(long told) {
        long upTo = told;
        for (Map.Entry<Long, Long> next = ranges.floorEntry(upTo + 1);
                next != null && next.getValue() > upTo;
                next = ranges.floorEntry(upTo + 1)) {
            upTo = next.getValue();
        }
        return upTo;
    }

    /** Everything up to here has been told. */
    void discardUpTo(long seq) {
        while (!ranges.isEmpty() && ranges.firstEntry().getValue() <= seq) {
            ranges.pollFirstEntry();
        }
    }

    /** Nothing of it was so. */
    void clear() {
        ranges.clear();
        timedOutUpTo = 0;
    }
}
