package dev.gavel.mcp.facade.call;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The proposals that have ended while nobody waited for them here, and whose callers were told to call again: for a while.
 * Other processes know of them as well; whose it is to hand one out, the ledger says. Confined to the topic's loop.
 */
final class Uncollected {
    /** How long an end waits for its caller. */
    static final Duration KEPT = Duration.ofHours(1);

    /** Of one caller; what ended first is forgotten first, and calling again makes another proposal. */
    private static final int MOST_OF_ONE = 1_000;

    /** By caller, and then by the proposal's id. */
    private final Map<String, Map<String, End>> ends = new HashMap<>();

    private record End(CallKey key, Instant until) {}

    void add(CallKey key, String proposal, Instant since) {
        Map<String, End> theirs = ends.computeIfAbsent(key.caller(), _ -> new LinkedHashMap<>());
        theirs.put(proposal, new End(key, since.plus(KEPT)));
        if (theirs.size() > MOST_OF_ONE) {
            theirs.remove(theirs.keySet().iterator().next());
        }
    }

    /** The one to hand out for a call that is the same: the oldest. It is no longer here then. */
    Optional<String> take(CallKey key, Instant now) {
        Map<String, End> theirs = ends.getOrDefault(key.caller(), Map.of());
        List<String> over = new ArrayList<>();
        theirs.forEach((proposal, end) -> {
            if (!end.until().isAfter(now)) {
                over.add(proposal);
            }
        });
        over.forEach(proposal -> remove(key.caller(), proposal));
        Optional<String> found = theirs.entrySet().stream()
                .filter(end -> end.getValue().key().equals(key))
                .map(Map.Entry::getKey)
                // Ids begin with the time.
                .min(Comparator.naturalOrder());
        found.ifPresent(proposal -> remove(key.caller(), proposal));
        return found;
    }

    boolean anyOf(String caller) {
        return ends.containsKey(caller);
    }

    boolean has(String caller, String proposal) {
        return ends.getOrDefault(caller, Map.of()).containsKey(proposal);
    }

    void remove(String caller, String proposal) {
        Map<String, End> theirs = ends.get(caller);
        if (theirs != null && theirs.remove(proposal) != null && theirs.isEmpty()) {
            ends.remove(caller);
        }
    }
}
