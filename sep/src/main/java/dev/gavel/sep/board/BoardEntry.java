package dev.gavel.sep.board;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A SEP as the static board shows it: with its status and next steps as computed for an anonymous reader. Immutable.
 */
record BoardEntry(Sep sep, ExternalFacts externalFacts, LifecycleGuidance guidance) {
    /** Login of the anonymous reader of the board. No real login has this syntax. */
    private static final String READER = "(a reader)";

    static BoardEntry of(Sep sep, BoardInput input) {
        ExternalFacts externalFacts = input.externalFacts().apply(sep).withNames(input.names());
        LifecycleGuidance guidance = new LifecycleEngine(input.processDefinition())
                .guidance(sep.history(), Actor.of(READER), externalFacts, input.now());
        return new BoardEntry(sep, externalFacts, guidance);
    }

    int number() {
        return sep.number();
    }

    String title() {
        return sep.title().isBlank() ? "(no title)" : sep.title();
    }

    /**
     * Returns since when the longest-waiting of those who must act has been assigned; empty if no person or role must
     * act.
     */
    Optional<Instant> heldSince() {
        return guidance.mustAct().stream()
                .map(LifecycleGuidance.Assignment::since)
                .min(Comparator.naturalOrder());
    }

    /** Returns those who must act: names of persons, titles of roles. */
    List<String> mustAct(BoardInput input) {
        return guidance.mustAct().stream()
                .map(assignment -> input.name(assignment.party()))
                .toList();
    }

    String type(ProcessDefinition processDefinition) {
        return Optional.ofNullable(sep.snapshot().attributes().get("type"))
                .or(() -> Optional.ofNullable(processDefinition.attributes().get("type"))
                        .flatMap(known -> known.defaultValue()))
                .orElse("");
    }

    List<String> authors(BoardInput input) {
        return sep.snapshot().proposers().stream().map(input::name).toList();
    }

    /**
     * Returns the next step for each role, by the role's title. A role whose step equals that of the anonymous reader
     * is left out.
     */
    Map<String, String> nextSteps(BoardInput input) {
        Map<String, String> steps = new LinkedHashMap<>();
        for (Role role : input.processDefinition().roles().values()) {
            Optional<Actor> actor = role instanceof Role.ProposalRole proposalRole
                    ? sep.snapshot().holders().people(proposalRole.name()).stream()
                            .findFirst()
                            .map(person -> new Actor(person, List.of()))
                    : Optional.of(Actor.of(READER, role.name()));
            actor.map(reader -> new LifecycleEngine(input.processDefinition())
                            .guidance(sep.history(), reader, externalFacts, input.now())
                            .nextStep())
                    .filter(step -> !step.equals(guidance.nextStep()))
                    .ifPresent(step -> steps.put(role.title(), step));
        }
        return steps;
    }
}
