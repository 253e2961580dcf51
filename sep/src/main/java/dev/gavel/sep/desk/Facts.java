package dev.gavel.sep.desk;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Circumstances.Fact;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.State;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Outline;
import dev.gavel.sep.document.SectionName;
import dev.gavel.sep.kept.Line;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What the desk knows of a proposal that its history does not say: what is in its document, and whether its successor
 * names it. These names are what a process file may call facts.
 */
final class Facts {
    /** Evidence of this kind names the proposal that takes another's place. */
    static final String SUCCESSOR = "successor";

    /** Whoever holds a role in the successor brings it to the one it takes the place of, by this name before its own. */
    static final String SUCCESSOR_ROLE = "successor-";

    private static final String TITLED = "titled";
    private static final String COMPLETE = "complete";
    private static final String SECTION = "section-";
    private static final String NAMED_BACK = "named-back";

    private Facts() {}

    /** The facts a process names that nobody here could tell. */
    static List<String> unknown(Process process) {
        return process.facts().keySet().stream()
                .filter(fact -> !fact.equals(TITLED)
                        && !fact.equals(COMPLETE)
                        && !fact.equals(NAMED_BACK)
                        && !fact.startsWith(SECTION)
                        && !SectionName.format().contains(fact))
                .toList();
    }

    /** What is so of a document. */
    static Circumstances of(Outline outline, Process process, Roster roster) {
        Map<String, Fact> facts = new HashMap<>();
        for (String fact : process.facts().keySet()) {
            if (fact.equals(TITLED)) {
                facts.put(fact, fact(!outline.title().isBlank(), "its first heading is to be its title"));
            } else if (fact.equals(COMPLETE)) {
                List<String> missing = SectionName.format().stream()
                        .filter(section -> !outline.sections().contains(section))
                        .map(Facts::heading)
                        .toList();
                facts.put(fact, fact(missing.isEmpty(), "missing: " + String.join(", ", missing)));
            } else if (!fact.equals(NAMED_BACK)) {
                String section = fact.startsWith(SECTION) ? fact.substring(SECTION.length()) : fact;
                facts.put(
                        fact,
                        fact(
                                outline.sections().contains(section),
                                "write something under the heading '" + heading(section) + "'"));
            }
        }
        return new Circumstances(roster.members(), facts);
    }

    private static Fact fact(boolean holds, String otherwise) {
        return new Fact(holds, holds ? "" : otherwise);
    }

    /** How a section's heading is written. */
    static String heading(String slug) {
        StringBuilder text = new StringBuilder();
        for (String word : slug.split("-", -1)) {
            text.append(text.isEmpty() ? "" : " ");
            text.append(word.isEmpty() ? "" : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return text.toString();
    }

    /**
     * What is so of a proposal.
     *
     * @param given evidence that would come with a move
     * @param others looks up another proposal
     */
    static Circumstances of(
            Sep sep, List<Evidence> given, Process process, Roster roster, IntFunction<Optional<Sep>> others) {
        Circumstances known = of(sep.outline(), process, roster);
        if (!process.facts().containsKey(NAMED_BACK)) {
            return known;
        }
        Optional<String> said = successor(sep, given);
        Optional<Sep> successor = said.flatMap(Facts::number).flatMap(others::apply);
        if (successor.isEmpty()) {
            return known.without(
                    NAMED_BACK,
                    said.map(number -> "there is no SEP " + number)
                            .orElse("name the SEP that takes its place, whose document says 'Supersedes: "
                                    + sep.number() + "'"));
        }
        return unfit(sep, successor.get(), process, others)
                .map(why -> known.without(NAMED_BACK, why))
                .orElseGet(() -> known.withFact(NAMED_BACK));
    }

    /** Why a proposal cannot take another's place. */
    private static Optional<String> unfit(Sep sep, Sep successor, Process process, IntFunction<Optional<Sep>> others) {
        if (successor.number() == sep.number()) {
            return Optional.of("nothing takes its own place; name another SEP");
        }
        if (!successor.outline().links().supersedes().contains(sep.number())) {
            return Optional.of("the document of SEP " + successor.number() + " must say 'Supersedes: " + sep.number()
                    + "' in its preamble");
        }
        State state = process.states().get(successor.state());
        if (state != null && state.end()) {
            return Optional.of("SEP " + successor.number() + " is " + successor.state()
                    + ", and that is the end; name one that can still be followed");
        }
        Set<Integer> seen = new HashSet<>();
        Optional<Sep> next = Optional.of(successor);
        while (next.isPresent() && seen.add(next.get().number())) {
            if (next.get().number() == sep.number()) {
                return Optional.of("SEP " + successor.number() + " is itself to be superseded by SEP " + sep.number()
                        + ", by itself or by those after it; a circle leads nowhere");
            }
            next = successor(next.get(), List.of()).flatMap(Facts::number).flatMap(others::apply);
        }
        return Optional.empty();
    }

    private static Optional<String> successor(Sep sep, List<Evidence> given) {
        return given.stream()
                .filter(piece -> piece.kind().equals(SUCCESSOR))
                .map(Evidence::value)
                .findFirst()
                .or(() -> sep.standing().evidence().latest(SUCCESSOR).map(latest -> latest.value()));
    }

    /** A number as people write it. */
    static Optional<Integer> number(String text) {
        String digits = text.strip().replaceFirst("(?i)^(sep)?[-# ]*0*(?=\\d)", "");
        return digits.matches("\\d{1,9}") ? Optional.of(Integer.parseInt(digits)) : Optional.empty();
    }

    /** Whoever asks, with the roles that come with holding one in the successor. */
    static Actor withSuccessorRoles(
            Actor actor, Sep sep, List<Evidence> given, Process process, IntFunction<Optional<Sep>> others) {
        Optional<Sep> successor = successor(sep, given).flatMap(Facts::number).flatMap(others::apply);
        if (successor.isEmpty()) {
            return actor;
        }
        List<String> roles = new ArrayList<>(actor.roles());
        Line.sponsorRole(process)
                .filter(role -> process.roles().containsKey(SUCCESSOR_ROLE + role.name()))
                .filter(role -> successor.get().standing().holders().holds(actor.person(), role.name()))
                // Whoever may hold it no longer brings nothing from there.
                .filter(role -> process.brought(actor.roles())
                        .containsAll(role.from().stream().toList()))
                .ifPresent(role -> roles.add(SUCCESSOR_ROLE + role.name()));
        return new Actor(actor.person(), roles);
    }
}
