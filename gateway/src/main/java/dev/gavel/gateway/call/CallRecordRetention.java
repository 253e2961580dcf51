package dev.gavel.gateway.call;

import dev.gavel.ledger.EventSize;
import dev.gavel.ledger.LedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes call records that are too old, and the oldest records of a topic that has too many. Not thread-safe.
 */
public final class CallRecordRetention {
    private static final Logger log = LoggerFactory.getLogger(CallRecordRetention.class);

    /** The number of events that are read or deleted at once, so that others can write in between. */
    private static final int PAGE = 500;

    /** The approximate size of an event in the database, besides its body. */
    private static final long EVENT_OVERHEAD = 512;

    private final LedgerStore ledger;
    private final Duration age;
    private final long maxBytes;
    private final Map<String, StreamSize> sizes = new HashMap<>();

    /**
     * Creates the retention of all topics' call records.
     *
     * @param age the age at which records are deleted
     * @param maxBytes the size of the records of one topic above which the oldest are deleted
     */
    public CallRecordRetention(LedgerStore ledger, Duration age, long maxBytes) {
        this.ledger = ledger;
        this.age = age;
        this.maxBytes = maxBytes;
    }

    /** The size of a stream up to a seq. */
    private static final class StreamSize {
        long upTo;
        long bytes;
    }

    /** Deletes what must not be kept at this time. Throws if the ledger is unavailable. */
    public void run(Instant now) {
        for (String stream : ledger.streams()) {
            if (CallStreamLayout.isCallStream(stream)) {
                StreamSize size = sizes.computeIfAbsent(stream, name -> new StreamSize());
                measure(stream, size);
                prune(stream, size, now.minus(age));
            }
        }
    }

    /** Forgets the sizes: another process may have deleted records. */
    public void reset() {
        sizes.clear();
    }

    private void measure(String stream, StreamSize size) {
        List<EventSize> page;
        do {
            page = ledger.eventSizesAfter(stream, size.upTo, PAGE);
            for (EventSize each : page) {
                size.bytes += each.bytes() + EVENT_OVERHEAD;
                size.upTo = each.seq();
            }
        } while (page.size() == PAGE);
    }

    private void prune(String stream, StreamSize size, Instant before) {
        long deleted = 0;
        boolean tooLarge = false;
        boolean more = true;
        while (more) {
            List<EventSize> oldest = ledger.eventSizesAfter(stream, 0, PAGE);
            int count = 0;
            while (count < oldest.size()
                    && (size.bytes > maxBytes || oldest.get(count).at().isBefore(before))) {
                tooLarge |= !oldest.get(count).at().isBefore(before);
                size.bytes -= oldest.get(count).bytes() + EVENT_OVERHEAD;
                count++;
            }
            if (count > 0) {
                ledger.pruneThrough(stream, oldest.get(count - 1).seq());
            }
            deleted += count;
            more = count == PAGE;
        }
        if (tooLarge) {
            log.atWarn()
                    .addKeyValue("stream", stream)
                    .log(
                            "Retention deleted {} batches of call records of '{}', because they exceed the size limit"
                                    + " of {} bytes ('audit.size').",
                            deleted,
                            stream,
                            maxBytes);
        } else if (deleted > 0) {
            log.info("Retention deleted {} batches of call records of '{}' from before {}.", deleted, stream, before);
        }
    }
}
