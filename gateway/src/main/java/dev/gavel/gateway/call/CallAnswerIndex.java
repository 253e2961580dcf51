package dev.gavel.gateway.call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the record of a call's answer among the records that follow the call. Ids of calls may repeat, so each answer
 * belongs to the last call before it. Not thread-safe.
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
     * Removes the answers to a call and returns the first one. An answer of an addressee takes precedence over the
     * outcome that the gateway recorded, such as that the addressee left: it may have come back.
     */
    Optional<CallRecord.Answered> take(CallRecord.Called called) {
        List<CallRecord.Answered> found = answers.remove(new Key(called.id(), called.by()));
        if (found == null) {
            return Optional.empty();
        }
        Optional<CallRecord.Answered> response = found.reversed().stream()
                .filter(answered -> answered.outcome().isResponse() && called.isAddressedTo(answered.by()))
                .findFirst();
        return response.or(() -> found.reversed().stream()
                .filter(answered -> !answered.outcome().isResponse())
                .findFirst());
    }
}
