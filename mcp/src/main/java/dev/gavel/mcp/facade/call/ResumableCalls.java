package dev.gavel.mcp.facade.call;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stores the proposed calls whose callers received a pending response, until an equal call resumes them. Confined to
 * the topic's loop.
 */
final class ResumableCalls {
    /** The limit per caller. The oldest call is dropped first; then calling again makes another proposal. */
    private static final int MAX_PER_CALLER = 1_000;

    private final Map<CallKey, Deque<PendingCall>> calls = new HashMap<>();
    private final Map<String, Deque<PendingCall>> byCaller = new HashMap<>();

    /** Adds a call. Returns the call that was dropped for it, if any. */
    Optional<PendingCall> add(PendingCall call) {
        if (contains(call)) {
            return Optional.empty();
        }
        calls.computeIfAbsent(call.key(), key -> new ArrayDeque<>()).add(call);
        Deque<PendingCall> theirs = byCaller.computeIfAbsent(call.key().caller(), id -> new ArrayDeque<>());
        theirs.add(call);
        if (theirs.size() <= MAX_PER_CALLER) {
            return Optional.empty();
        }
        PendingCall oldest = theirs.getFirst();
        remove(oldest);
        return Optional.of(oldest);
    }

    /**
     * Returns the call to resume for an equal call: the oldest one, but preferably one without a waiting client. It
     * stays stored.
     */
    Optional<PendingCall> find(CallKey key) {
        Deque<PendingCall> same = calls.get(key);
        return same == null
                ? Optional.empty()
                : same.stream()
                        .min(Comparator.comparing(PendingCall::hasWaitingClient).thenComparing(PendingCall::id));
    }

    boolean hasAny(String caller) {
        return byCaller.containsKey(caller);
    }

    boolean contains(PendingCall call) {
        Deque<PendingCall> same = calls.get(call.key());
        return same != null && same.contains(call);
    }

    void remove(PendingCall call) {
        remove(calls, call.key(), call);
        remove(byCaller, call.key().caller(), call);
    }

    private static <K> void remove(Map<K, Deque<PendingCall>> from, K key, PendingCall call) {
        Deque<PendingCall> some = from.get(key);
        if (some != null && some.remove(call) && some.isEmpty()) {
            from.remove(key);
        }
    }
}
