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
import java.util.TreeSet;

/** Determines from the process which sections a document must have in each state. Immutable. */
final class SectionRequirements {
    private static final String ALL = "complete";
    private static final String ONE = "section-";

    private final ProcessDefinition processDefinition;
    private final String type;
    private final SectionNames names;
    private final Map<String, Set<String>> facts = new HashMap<>();

    SectionRequirements(ProcessDefinition processDefinition, String type) {
        this.processDefinition = processDefinition;
        this.type = type;
        this.names = SectionNames.of(processDefinition.documentFormat());
        processDefinition.states().keySet().forEach(state -> facts.put(state, allFacts()));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Map.Entry<String, Set<String>> state : facts.entrySet()) {
                changed |= state.getValue().retainAll(factsEstablishedIn(state.getKey()));
            }
        }
    }

    /**
     * Returns the facts that hold for every proposal in a state, derived from the facts that hold in its predecessor states.
     */
    private Set<String> factsEstablishedIn(String state) {
        Set<String> establishedFacts = allFacts();
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

    /** Returns the facts of the process, and one for each section that the format needs from some state on. */
    private Set<String> allFacts() {
        Set<String> all = new HashSet<>(processDefinition.facts().keySet());
        processDefinition.states().keySet().forEach(state -> all.addAll(sectionFacts(state)));
        return all;
    }

    private List<String> sectionFacts(String state) {
        return names.neededFrom(state).stream().map(ONE::concat).toList();
    }

    private Set<String> needed(MoveDefinition moveDefinition) {
        Set<String> needed = new HashSet<>(sectionFacts(moveDefinition.to()));
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
        Set<String> establishedFacts = facts.getOrDefault(state, Set.of());
        Set<String> required = new TreeSet<>();
        for (String fact : establishedFacts) {
            if (fact.startsWith(ONE)) {
                required.add(names.standardSlug(fact.substring(ONE.length())));
            } else if (names.isStandard(names.standardSlug(fact))) {
                required.add(names.standardSlug(fact));
            }
        }
        if (establishedFacts.contains(ALL)) {
            required.addAll(names.completeSlugs());
        }
        Set<String> slugs = new LinkedHashSet<>(names.standardSlugs());
        slugs.retainAll(required);
        slugs.addAll(required);
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
