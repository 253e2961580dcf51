package dev.gavel.faults.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything recorded for one participant by the end of a chaos run: its journal, echoed and refused envelopes, and
 * errors. Immutable, as long as the journal grows no more.
 *
 * @param echoes the ids of what was echoed to it
 * @param refusals the ids of what was refused for good, and why
 * @param usesLibrary whether the library kept its connection: then the journal has nothing that was sent, and each once that
 *     was heard
 * @param errors what went wrong for it that nothing may do
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
