package dev.gavel.mcp.facade.call;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Stores calls that were answered "pending", so that a caller who repeats one resumes it instead of making a second
 * proposal. Confined to the topic's loop.
 */
final class ResumableCalls {
    /** The limit per caller. The oldest call is dropped first; then calling again makes another proposal. */
    private static final int MAX_PER_CALLER = 1_000;

    private final Map<CallDeduplicationKey, Deque<PendingCall>> calls = new HashMap<>();
    private final Map<String, Deque<PendingCall>> byCaller = new HashMap<>();

    /** Adds a call. Returns the call that was dropped for it, if any. */
    Optional<PendingCall> add(PendingCall call) {
        if (contains(call)) {
            return Optional.empty();
        }
        calls.computeIfAbsent(call.key(), key -> new ArrayDeque<>()).add(call);
        Deque<PendingCall> callerCalls = byCaller.computeIfAbsent(call.key().caller(), id -> new ArrayDeque<>());
        callerCalls.add(call);
        if (callerCalls.size() <= MAX_PER_CALLER) {
            return Optional.empty();
        }
        PendingCall oldest = callerCalls.getFirst();
        remove(oldest);
        return Optional.of(oldest);
    }

    /**
     * Returns the call to resume for an equal call: the oldest one, but preferably one without a waiting client. It
     * stays stored.
     */
    Optional<PendingCall> find(CallDeduplicationKey key) {
        Deque<PendingCall> equalCalls = calls.get(key);
        return equalCalls == null
                ? Optional.empty()
                : equalCalls.stream()
                        .min(Comparator.comparing(PendingCall::hasWaitingClient).thenComparing(PendingCall::id));
    }

    /** Returns the keys of a caller's calls, the oldest first. */
    Stream<CallDeduplicationKey> keysOf(String caller) {
        return byCaller.getOrDefault(caller, new ArrayDeque<>()).stream().map(PendingCall::key);
    }

    boolean hasAny(String caller) {
        return byCaller.containsKey(caller);
    }

    boolean contains(PendingCall call) {
        Deque<PendingCall> equalCalls = calls.get(call.key());
        return equalCalls != null && equalCalls.contains(call);
    }

    void remove(PendingCall call) {
        remove(calls, call.key(), call);
        remove(byCaller, call.key().caller(), call);
    }

    private static <K> void remove(Map<K, Deque<PendingCall>> from, K key, PendingCall call) {
        Deque<PendingCall> remaining = from.get(key);
        if (remaining != null && remaining.remove(call) && remaining.isEmpty()) {
            from.remove(key);
        }
    }
}
