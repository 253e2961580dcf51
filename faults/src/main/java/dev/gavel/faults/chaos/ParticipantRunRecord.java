package dev.gavel.faults.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything recorded for one participant during a chaos run: its journal, its confirmed and refused envelopes, and its
 * errors. Immutable, as long as the journal does not grow.
 *
 * @param echoes the ids of the envelopes echoed to it
 * @param refusals the ids of the envelopes refused permanently, and why
 * @param usesLibrary whether the client library managed its connection: then the journal contains no sent envelopes,
 *     and each received one once
 * @param errors its failures that no fault may cause
 */
record ParticipantRunRecord(
        ParticipantJournal journal,
        Set<String> echoes,
        Map<String, String> refusals,
        boolean usesLibrary,
        List<String> errors) {
    ParticipantRunRecord {
        echoes = Set.copyOf(echoes);
        refusals = Map.copyOf(refusals);
        errors = List.copyOf(errors);
    }

    String name() {
        return journal.name();
    }
}
