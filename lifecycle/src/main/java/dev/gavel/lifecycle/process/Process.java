package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The rules proposals live by. Read from a file by {@link dev.gavel.lifecycle.file.ProcessFile}, which also proves it
 * sound; whoever builds one otherwise answers for that.
 *
 * @param start the move that begins a proposal
 * @param facts what each fact means that the caller knows
 * @param votes by the state the vote is held in
 * @param coolDown how long a person is left alone about one proposal after a ping
 */
@SuppressWarnings("JavaLangClash") // "process" is the product's word for this, and one thing has one word
public record Process(
        String name,
        String title,
        Map<String, Role> roles,
        Map<String, Attribute> attributes,
        Map<String, EvidenceKind> evidence,
        Map<String, String> facts,
        Map<String, State> states,
        Move start,
        List<Move> moves,
        Map<String, VoteRule> votes,
        List<Clock> clocks,
        List<Alias> aliases,
        Permissions permissions,
        Duration coolDown) {
    public Process {
        roles = ordered(roles);
        attributes = ordered(attributes);
        evidence = ordered(evidence);
        facts = ordered(facts);
        states = ordered(states);
        moves = List.copyOf(moves);
        votes = ordered(votes);
        clocks = List.copyOf(clocks);
        aliases = List.copyOf(aliases);
    }

    /** A state of this process. */
    public State state(String state) {
        State found = states.get(state);
        if (found == null) {
            throw new IllegalArgumentException("the process " + name + " has no state '" + state + "'");
        }
        return found;
    }

    /** A kind of evidence of this process. */
    public EvidenceKind kind(String kind) {
        EvidenceKind found = evidence.get(kind);
        if (found == null) {
            throw new IllegalArgumentException("the process " + name + " has no evidence '" + kind + "'");
        }
        return found;
    }

    /** The moves out of a state, in the order of the file. */
    public List<Move> movesFrom(String state) {
        return moves.stream().filter(move -> move.from().contains(state)).toList();
    }

    /** The move from a state to another. */
    public Optional<Move> move(String from, String to) {
        return movesFrom(from).stream().filter(move -> move.to().equals(to)).findFirst();
    }

    /** A role held in a proposal, where there is one of that name. */
    public Optional<Role.Held> held(String role) {
        return roles.get(role) instanceof Role.Held held ? Optional.of(held) : Optional.empty();
    }

    /** The role of whoever makes a proposal. */
    public Role.Held proposer() {
        return roles.values().stream()
                .<Role.Held>mapMulti((role, found) -> {
                    if (role instanceof Role.Held held && held.proposer()) {
                        found.accept(held);
                    }
                })
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the process " + name + " has no role that proposes"));
    }

    /** Roles an actor brings, with all they imply; what the process does not know, or only a history says, is left out. */
    public List<String> brought(List<String> roles) {
        Set<String> all = new TreeSet<>();
        for (String role : roles) {
            if (role.equals(Role.SYSTEM)) {
                all.add(role);
            } else if (this.roles.get(role) instanceof Role.Brought brought) {
                all.add(role);
                all.addAll(brought.implies());
            }
        }
        return List.copyOf(all);
    }

    /** What people call somebody of a role. */
    public String title(String role) {
        Role found = roles.get(role);
        return found == null ? role : found.title();
    }

    /** The state a word names, in any case, by its name or another word for it. */
    public Optional<String> stateNamed(String word) {
        return states.keySet().stream()
                .filter(word::equalsIgnoreCase)
                .findFirst()
                .or(() -> aliases.stream()
                        .filter(alias ->
                                alias.vacant().isEmpty() && alias.word().equalsIgnoreCase(word))
                        .map(Alias::state)
                        .findFirst());
    }

    /**
     * The state a word in a document means, which may depend on who holds a role in it.
     *
     * @param held whether somebody holds a role in that proposal
     */
    public Optional<String> stateMeant(String word, Predicate<String> held) {
        return aliases.stream()
                .filter(alias -> alias.word().equalsIgnoreCase(word))
                .filter(alias -> alias.vacant().filter(role -> !held.test(role)).isPresent())
                .map(Alias::state)
                .findFirst()
                .or(() -> stateNamed(word));
    }

    private static <T> Map<String, T> ordered(Map<String, T> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
