package dev.gavel.ledger;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * How much of the ledger one identity uses. Immutable.
 *
 * @param open the number of its open subjects in all topics, such as proposals; subjects of system streams do not count
 * @param openBytes the size of the events of those subjects that it caused, in bytes
 * @param latestStarts when its latest subjects started, the latest first; at most as many as were requested
 * @param dayBytes the size of all events that it caused on the day of the request in UTC, in bytes
 */
public record OwnerUsage(int open, long openBytes, List<Instant> latestStarts, long dayBytes) {
    public OwnerUsage {
        latestStarts = List.copyOf(latestStarts);
    }

    /** Returns the usage with that of further subjects and events, which started at a time. */
    public OwnerUsage plus(int openDelta, long openBytesDelta, List<Instant> starts, long bytes) {
        return new OwnerUsage(
                open + openDelta,
                openBytes + openBytesDelta,
                starts.isEmpty()
                        ? latestStarts
                        : Stream.concat(starts.stream(), latestStarts.stream()).toList(),
                dayBytes + bytes);
    }
}
