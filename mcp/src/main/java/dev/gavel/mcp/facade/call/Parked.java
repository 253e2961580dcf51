package dev.gavel.mcp.facade.call;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The proposed calls whose callers were told that they are pending, until their ends are fetched: calling again with the
 * same arguments takes one up. Confined to the topic's loop.
 */
final class Parked {
    /** Of one caller; those parked first are forgotten first, and calling again makes another proposal. */
    private static final int MOST_OF_ONE = 1_000;

    private final Map<CallKey, Deque<Call>> calls = new HashMap<>();
    private final Map<String, Deque<Call>> byCaller = new HashMap<>();

    /** Keeps a call; gives the one that had to go for it, if one had to. */
    Optional<Call> park(Call call) {
        if (holds(call)) {
            return Optional.empty();
        }
        calls.computeIfAbsent(call.key(), key -> new ArrayDeque<>()).add(call);
        Deque<Call> theirs = byCaller.computeIfAbsent(call.key().caller(), id -> new ArrayDeque<>());
        theirs.add(call);
        if (theirs.size() <= MOST_OF_ONE) {
            return Optional.empty();
        }
        Call oldest = theirs.getFirst();
        forget(oldest);
        return Optional.of(oldest);
    }

    /**
     * The one to take up for a call that is the same: one that nobody waits for, where there is one, and the oldest of these.
     * It stays here.
     */
    Optional<Call> find(CallKey key) {
        Deque<Call> same = calls.get(key);
        return same == null
                ? Optional.empty()
                : same.stream().min(Comparator.comparing(Call::waitedFor).thenComparing(Call::id));
    }

    boolean anyOf(String caller) {
        return byCaller.containsKey(caller);
    }

    boolean holds(Call call) {
        Deque<Call> same = calls.get(call.key());
        return same != null && same.contains(call);
    }

    void forget(Call call) {
        remove(calls, call.key(), call);
        remove(byCaller, call.key().caller(), call);
    }

    private static <K> void remove(Map<K, Deque<Call>> from, K key, Call call) {
        Deque<Call> some = from.get(key);
        if (some != null && some.remove(call) && some.isEmpty()) {
            from.remove(key);
        }
    }
}
