package dev.gavel.sep.service;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.Sep;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Evaluates the facts that a process may require of a SEP when only documents are available and role holders are
 * unknown. Stateless.
 */
public final class OfflineSepFactEvaluator {
    private OfflineSepFactEvaluator() {}

    /**
     * Returns the facts of a SEP.
     *
     * @param others looks up another SEP
     */
    public static ExternalFacts of(Sep sep, ProcessDefinition processDefinition, IntFunction<Optional<Sep>> others) {
        Map<String, ExternalFacts.Fact> facts = SepFactEvaluator.of(
                        sep, List.of(), processDefinition, new PeopleResolver(List.of(), processDefinition), others)
                .facts();
        // The role members are unknown, which differs from empty: an empty role would make the quorum of a vote zero.
        return new ExternalFacts(Map.of(), facts, Map.of());
    }
}
