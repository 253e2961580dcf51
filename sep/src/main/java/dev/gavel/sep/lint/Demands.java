package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.Move;
import dev.gavel.lifecycle.process.Need;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.document.SectionName;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which sections a document has to have in which state, by the process alone: those which every way from the beginning to the
 * state passes a move that needs them. Immutable.
 */
final class Demands {
    private static final String ALL = "complete";
    private static final String ONE = "section-";

    private final Process process;
    private final String type;
    private final Map<String, Set<String>> facts = new HashMap<>();

    Demands(Process process, String type) {
        this.process = process;
        this.type = type;
        process.states()
                .keySet()
                .forEach(state -> facts.put(state, new HashSet<>(process.facts().keySet())));
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Map.Entry<String, Set<String>> state : facts.entrySet()) {
                changed |= state.getValue().retainAll(known(state.getKey()));
            }
        }
    }

    /** What is known of whatever has come to a state, by what is known of the states before it. */
    private Set<String> known(String state) {
        Set<String> known = new HashSet<>(process.facts().keySet());
        if (process.start().to().equals(state)) {
            known.retainAll(needed(process.start()));
        }
        for (Move move : process.moves()) {
            if (move.to().equals(state)) {
                for (String from : move.from()) {
                    Set<String> there = needed(move);
                    there.addAll(facts.getOrDefault(from, Set.of()));
                    known.retainAll(there);
                }
            }
        }
        return known;
    }

    private Set<String> needed(Move move) {
        Set<String> needed = new HashSet<>();
        move.needs().forEach(need -> needed.addAll(facts(need)));
        return needed;
    }

    private Set<String> facts(Need need) {
        return switch (need) {
            case Need.Fact(String name) -> Set.of(name);
            case Need.When(String attribute, Set<String> values, Need inner) ->
                attribute.equals("type") && values.stream().anyMatch(type::equalsIgnoreCase) ? facts(inner) : Set.of();
            case Need.Any(List<Need> choices) -> {
                Set<String> all = new HashSet<>(facts(choices.getFirst()));
                choices.forEach(choice -> all.retainAll(facts(choice)));
                yield all;
            }
            case Need.Said(String _, Need inner) -> facts(inner);
            case Need.Given _, Need.Here _, Need.Reached _, Need.Vacant _, Need.Idle _ -> Set.of();
        };
    }

    /** The slugs of the sections a document must have in a state, in the format's order. */
    Set<String> sections(String state) {
        Set<String> slugs = new LinkedHashSet<>();
        Set<String> known = facts.getOrDefault(state, Set.of());
        for (String slug : SectionName.format()) {
            if (known.contains(ALL) || known.contains(slug) || known.contains(ONE + slug)) {
                slugs.add(slug);
            }
        }
        known.stream()
                .filter(fact -> fact.startsWith(ONE))
                .map(fact -> fact.substring(ONE.length()))
                .sorted()
                .forEach(slugs::add);
        return slugs;
    }

    /** Every section that some state needs. */
    Set<String> ever() {
        Set<String> slugs = new LinkedHashSet<>();
        process.states().keySet().forEach(state -> slugs.addAll(sections(state)));
        return slugs;
    }

    /** The state that a proposal in another may yet come to and that needs a section: the nearest of them. */
    Optional<String> later(String from, String slug) {
        Set<String> seen = new HashSet<>(Set.of(from));
        Deque<String> next = new ArrayDeque<>(Set.of(from));
        while (!next.isEmpty()) {
            String state = next.removeFirst();
            if (sections(state).contains(slug)) {
                return Optional.of(state);
            }
            process.movesFrom(state).stream().map(Move::to).filter(seen::add).forEach(next::addLast);
        }
        return Optional.empty();
    }
}
