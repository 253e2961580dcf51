package dev.gavel.gateway.call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the record of a call's answer among the records that follow the call. Ids of calls may repeat. An answer belongs
 * to the call whose time it names. An answer that names none belongs to the last call before it. Not thread-safe.
 */
final class CallAnswerIndex {
    private record Key(String id, String caller) {}

    /** The answers to calls with the same id, the latest first. */
    private final Map<Key, List<CallRecord.Answered>> answers = new HashMap<>();

    /** Adds an answer that is later than all answers added so far. */
    void addLater(CallRecord.Answered answered) {
        list(answered).addFirst(answered);
    }

    /** Adds an answer that is earlier than all answers added so far. */
    void addEarlier(CallRecord.Answered answered) {
        list(answered).addLast(answered);
    }

    private List<CallRecord.Answered> list(CallRecord.Answered answered) {
        return answers.computeIfAbsent(new Key(answered.id(), answered.caller()), key -> new ArrayList<>(1));
    }

    /**
     * Removes the answers to a call and returns the first one. Answers to other calls with the same id stay. An answer of an addressee takes precedence over the
     * outcome that the gateway recorded, such as that the addressee left: it may have come back.
     */
    Optional<CallRecord.Answered> take(CallRecord.Called called) {
        Key key = new Key(called.id(), called.by());
        List<CallRecord.Answered> all = answers.remove(key);
        if (all == null) {
            return Optional.empty();
        }
        Map<Boolean, List<CallRecord.Answered>> byCall =
                all.stream().collect(Collectors.partitioningBy(answered -> answered.mayAnswerCallOf(called.at())));
        List<CallRecord.Answered> others = byCall.getOrDefault(false, List.of());
        if (!others.isEmpty()) {
            answers.put(key, new ArrayList<>(others));
        }
        List<CallRecord.Answered> found = byCall.getOrDefault(true, List.of());
        Optional<CallRecord.Answered> response = found.reversed().stream()
                .filter(answered -> answered.outcome().isResponse() && called.isAddressedTo(answered.by()))
                .findFirst();
        return response.or(() -> found.reversed().stream()
                .filter(answered -> !answered.outcome().isResponse())
                .findFirst());
    }
}
