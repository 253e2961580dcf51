package dev.gavel.bench.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a participant can say when all is over. Immutable, as long as the journal grows no more.
 *
 * @param echoes the ids of what was echoed to it
 * @param refusals the ids of what was refused for good, and why
 * @param byLibrary whether the library kept its connection: then the journal has nothing that was sent, and each once that
 *     was heard
 * @param complaints what went wrong for it that nothing may do
 */
record Witness(
        Journal journal, Set<String> echoes, Map<String, String> refusals, boolean byLibrary, List<String> complaints) {
    Witness {
        echoes = Set.copyOf(echoes);
        refusals = Map.copyOf(refusals);
        complaints = List.copyOf(complaints);
    }

    String name() {
        return journal.name();
    }
}
