package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.document.SectionNames;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Determines from the process which sections a document must have in each state. Immutable. */
final class SectionRequirements {
    private static final String ALL = "complete";
    private static final String ONE = "section-";

    private final ProcessDefinition processDefinition;
    private final String type;
    private final Map<String, Set<String>> facts = new HashMap<>();

    SectionRequirements(ProcessDefinition processDefinition, String type) {
        this.processDefinition = processDefinition;
        this.type = type;
        processDefinition
                .states()
                .keySet()
                .forEach(state ->
                        facts.put(state, new HashSet<>(processDefinition.facts().keySet())));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Map.Entry<String, Set<String>> state : facts.entrySet()) {
                changed |= state.getValue().retainAll(factsEstablishedIn(state.getKey()));
            }
        }
    }

    /**
     * Returns the facts that hold for every SEP in a state, derived from the facts that hold in its predecessor states.
     */
    private Set<String> factsEstablishedIn(String state) {
        Set<String> establishedFacts = new HashSet<>(processDefinition.facts().keySet());
        if (processDefinition.startMove().to().equals(state)) {
            establishedFacts.retainAll(needed(processDefinition.startMove()));
        }
        for (MoveDefinition moveDefinition : processDefinition.moveDefinitions()) {
            if (moveDefinition.to().equals(state)) {
                for (String from : moveDefinition.from()) {
                    Set<String> there = needed(moveDefinition);
                    there.addAll(facts.getOrDefault(from, Set.of()));
                    establishedFacts.retainAll(there);
                }
            }
        }
        return establishedFacts;
    }

    private Set<String> needed(MoveDefinition moveDefinition) {
        Set<String> needed = new HashSet<>();
        moveDefinition.requirements().forEach(moveRequirement -> needed.addAll(facts(moveRequirement)));
        return needed;
    }

    private Set<String> facts(MoveRequirement moveRequirement) {
        return switch (moveRequirement) {
            case MoveRequirement.FactHolds(String name) -> Set.of(name);
            case MoveRequirement.ForAttribute(String attribute, Set<String> values, MoveRequirement inner) ->
                attribute.equals("type") && values.stream().anyMatch(type::equalsIgnoreCase) ? facts(inner) : Set.of();
            case MoveRequirement.AnyOf(List<MoveRequirement> choices) -> {
                Set<String> all = new HashSet<>(facts(choices.getFirst()));
                choices.forEach(choice -> all.retainAll(facts(choice)));
                yield all;
            }
            case MoveRequirement.WithDescription(String _, MoveRequirement inner) -> facts(inner);
            case MoveRequirement.EvidenceGiven _,
                    MoveRequirement.EvidenceInState _,
                    MoveRequirement.DateReached _,
                    MoveRequirement.RoleVacant _,
                    MoveRequirement.RoleIdle _ -> Set.of();
        };
    }

    /** Returns the slugs of the sections that a document must have in a state, in the order of the format. */
    Set<String> requiredIn(String state) {
        Set<String> slugs = new LinkedHashSet<>();
        Set<String> establishedFacts = facts.getOrDefault(state, Set.of());
        for (String slug : SectionNames.standardSlugs()) {
            if (establishedFacts.contains(ALL)
                    || establishedFacts.contains(slug)
                    || establishedFacts.contains(ONE + slug)) {
                slugs.add(slug);
            }
        }
        establishedFacts.stream()
                .filter(fact -> fact.startsWith(ONE))
                .map(fact -> fact.substring(ONE.length()))
                .sorted()
                .forEach(slugs::add);
        return slugs;
    }

    /** Returns every section that at least one state requires. */
    Set<String> requiredInAnyState() {
        Set<String> slugs = new LinkedHashSet<>();
        processDefinition.states().keySet().forEach(state -> slugs.addAll(requiredIn(state)));
        return slugs;
    }

    /** Returns the nearest state that is reachable from a state and requires a section. */
    Optional<String> nextStateRequiring(String from, String slug) {
        Set<String> seen = new HashSet<>(Set.of(from));
        Deque<String> next = new ArrayDeque<>(Set.of(from));
        while (!next.isEmpty()) {
            String state = next.removeFirst();
            if (requiredIn(state).contains(slug)) {
                return Optional.of(state);
            }
            processDefinition.movesFrom(state).stream()
                    .map(MoveDefinition::to)
                    .filter(seen::add)
                    .forEach(next::addLast);
        }
        return Optional.empty();
    }
}
