package dev.gavel.mcp.facade.call;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the proposed call that a repeated call joins, so that repeating a call does not create a second proposal.
 * Confined to the topic's loop.
 */
final class JoinableCalls {
    /**
     * The limit per caller of calls that no client waits for. Above it, the oldest one is given up; then calling again
     * makes another proposal.
     */
    private static final int MAX_UNATTENDED_PER_CALLER = 1_000;

    private final Map<CallDeduplicationKey, Deque<PendingCall>> callsByKey = new HashMap<>();
    private final Map<String, Set<PendingCall>> callsByCaller = new HashMap<>();
    private final Map<String, Set<PendingCall>> unattendedByCaller = new HashMap<>();

    void add(PendingCall call) {
        if (!contains(call)) {
            callsByKey.computeIfAbsent(call.key(), _ -> new ArrayDeque<>()).add(call);
            callsByCaller
                    .computeIfAbsent(call.key().caller(), _ -> new LinkedHashSet<>())
                    .add(call);
        }
    }

    /** Notes that no client waits for a call any more. Returns the call to give up for it, if there are too many. */
    Optional<PendingCall> markUnattended(PendingCall call) {
        Set<PendingCall> unattended =
                unattendedByCaller.computeIfAbsent(call.key().caller(), _ -> new LinkedHashSet<>());
        unattended.add(call);
        return unattended.size() > MAX_UNATTENDED_PER_CALLER
                ? unattended.stream().findFirst()
                : Optional.empty();
    }

    /** Notes that a client waits for a call again. */
    void markAttended(PendingCall call) {
        removeFrom(unattendedByCaller, call);
    }

    /** Returns the call that an equal call joins: the oldest one, but preferably one without a waiting client. */
    Optional<PendingCall> find(CallDeduplicationKey key) {
        return callsByKey.getOrDefault(key, new ArrayDeque<>()).stream()
                .min(Comparator.comparing(PendingCall::hasWaitingClient).thenComparing(PendingCall::id));
    }

    /** Returns the keys of a caller's calls, the oldest first. */
    Stream<CallDeduplicationKey> keysOf(String caller) {
        return callsByCaller.getOrDefault(caller, Set.of()).stream().map(PendingCall::key);
    }

    boolean hasAny(String caller) {
        return callsByCaller.containsKey(caller);
    }

    boolean contains(PendingCall call) {
        return callsByCaller.getOrDefault(call.key().caller(), Set.of()).contains(call);
    }

    /** Ensures that equal calls no longer join a caller's proposal. Its waiting clients still get the result. */
    void stopJoining(String caller, String proposal) {
        callsByCaller.getOrDefault(caller, Set.of()).stream()
                .filter(call -> call.id().equals(proposal))
                .findFirst()
                .ifPresent(this::remove);
    }

    void remove(PendingCall call) {
        removeFrom(callsByCaller, call);
        removeFrom(unattendedByCaller, call);
        Deque<PendingCall> equalCalls = callsByKey.get(call.key());
        if (equalCalls != null && equalCalls.remove(call) && equalCalls.isEmpty()) {
            callsByKey.remove(call.key());
        }
    }

    private static void removeFrom(Map<String, Set<PendingCall>> byCaller, PendingCall call) {
        Set<PendingCall> calls = byCaller.get(call.key().caller());
        if (calls != null && calls.remove(call) && calls.isEmpty()) {
            byCaller.remove(call.key().caller());
        }
    }
}
