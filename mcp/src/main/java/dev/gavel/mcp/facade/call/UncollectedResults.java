package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.facade.transport.PendingCallSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Remembers which proposals ended while no client was waiting, so that a repeated call gets their results.
 * Other processes know the results as well; the ledger decides which process delivers one. Confined to the topic's
 * loop.
 */
final class UncollectedResults {
    /** How long a result is stored for a caller who was told to call again, or is configured to be absent. */
    static final Duration RETENTION_AFTER_PENDING = Duration.ofHours(1);

    /** How long a result is stored for a caller whose client was disconnected, or gave up, before the call ended. */
    static final Duration RETENTION_AFTER_LOSS = Duration.ofMinutes(10);

    /** The limit per caller. The oldest result is dropped first; then calling again makes another proposal. */
    private static final int MAX_PER_CALLER = 1_000;

    /** By caller, and then by proposal id. */
    private final Map<String, Map<String, Entry>> entriesByCaller = new HashMap<>();

    /** Returns how long the result of a caller's proposal is stored. */
    static Duration retention(boolean toldToCallAgain, PendingCallSettings settings) {
        return toldToCallAgain || settings.keepOnDisconnect() ? RETENTION_AFTER_PENDING : RETENTION_AFTER_LOSS;
    }

    private record Entry(CallDeduplicationKey key, Instant expiresAt) {}

    void add(CallDeduplicationKey key, String proposal, Instant endedAt, Duration retention) {
        Map<String, Entry> callerResults = entriesByCaller.computeIfAbsent(key.caller(), _ -> new LinkedHashMap<>());
        callerResults.put(proposal, new Entry(key, endedAt.plus(retention)));
        if (callerResults.size() > MAX_PER_CALLER) {
            callerResults.remove(callerResults.keySet().iterator().next());
        }
    }

    /** Removes the oldest result for an equal call and returns the id of its proposal. */
    Optional<String> removeOldest(CallDeduplicationKey key, Instant now) {
        Map<String, Entry> callerResults = entriesByCaller.getOrDefault(key.caller(), Map.of());
        List<String> expired = new ArrayList<>();
        callerResults.forEach((proposal, entry) -> {
            if (!entry.expiresAt().isAfter(now)) {
                expired.add(proposal);
            }
        });
        expired.forEach(proposal -> remove(key.caller(), proposal));
        Optional<String> found = callerResults.entrySet().stream()
                .filter(entry -> entry.getValue().key().equals(key))
                .map(Map.Entry::getKey)
                // Ids begin with the time.
                .min(Comparator.naturalOrder());
        found.ifPresent(proposal -> remove(key.caller(), proposal));
        return found;
    }

    /** Returns the keys of a caller's calls, the oldest first. Some of their results may have expired. */
    Stream<CallDeduplicationKey> keysOf(String caller) {
        return entriesByCaller.getOrDefault(caller, Map.of()).values().stream().map(Entry::key);
    }

    boolean hasAny(String caller) {
        return entriesByCaller.containsKey(caller);
    }

    boolean contains(String caller, String proposal) {
        return entriesByCaller.getOrDefault(caller, Map.of()).containsKey(proposal);
    }

    /** Removes the result of a proposal, and returns the key of its call. */
    Optional<CallDeduplicationKey> take(String caller, String proposal, Instant now) {
        Optional<CallDeduplicationKey> key = Optional.ofNullable(
                        entriesByCaller.getOrDefault(caller, Map.of()).get(proposal))
                .filter(entry -> entry.expiresAt().isAfter(now))
                .map(Entry::key);
        remove(caller, proposal);
        return key;
    }

    void remove(String caller, String proposal) {
        Map<String, Entry> callerResults = entriesByCaller.get(caller);
        if (callerResults != null && callerResults.remove(proposal) != null && callerResults.isEmpty()) {
            entriesByCaller.remove(caller);
        }
    }
}
