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
 * The complete definition of a specification process: states, moves, roles, evidence kinds, votes, clocks and aliases.
 * Read from a file by {@link dev.gavel.lifecycle.parser.ProcessFileParser}, which also proves it sound; whoever builds
 * one otherwise answers for that.
 *
 * @param startMove the move that begins a proposal
 * @param facts what each fact means that the caller knows
 * @param votes by the state the vote is held in
 * @param reminderCoolDown how long a person is left alone about one proposal after a ping
 */
@SuppressWarnings("JavaLangClash") // "process" is the product's word for this, and one thing has one word
public record ProcessDefinition(
        String name,
        String title,
        Map<String, Role> roles,
        Map<String, ProposalAttribute> attributes,
        Map<String, EvidenceKind> evidence,
        Map<String, String> facts,
        Map<String, ProcessState> states,
        Move startMove,
        List<Move> moves,
        Map<String, VoteRule> votes,
        List<ClockRule> clockRules,
        List<StateAlias> aliases,
        ProcessPermissions permissions,
        Duration reminderCoolDown) {
    public ProcessDefinition {
        roles = ordered(roles);
        attributes = ordered(attributes);
        evidence = ordered(evidence);
        facts = ordered(facts);
        states = ordered(states);
        moves = List.copyOf(moves);
        votes = ordered(votes);
        clockRules = List.copyOf(clockRules);
        aliases = List.copyOf(aliases);
    }

    /** A state of this process. */
    public ProcessState state(String state) {
        ProcessState found = states.get(state);
        if (found == null) {
            throw new IllegalArgumentException("the process " + name + " has no state '" + state + "'");
        }
        return found;
    }

    /** A kind of evidence of this process. */
    public EvidenceKind evidenceKind(String kind) {
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
    public Optional<Move> findMove(String from, String to) {
        return movesFrom(from).stream().filter(move -> move.to().equals(to)).findFirst();
    }

    /** A role held in a proposal, where there is one of that name. */
    public Optional<Role.ProposalRole> findProposalRole(String role) {
        return roles.get(role) instanceof Role.ProposalRole proposalRole ? Optional.of(proposalRole) : Optional.empty();
    }

    /** The role of whoever makes a proposal. */
    public Role.ProposalRole proposerRole() {
        return roles.values().stream()
                .<Role.ProposalRole>mapMulti((role, found) -> {
                    if (role instanceof Role.ProposalRole proposalRole && proposalRole.proposer()) {
                        found.accept(proposalRole);
                    }
                })
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the process " + name + " has no role that proposes"));
    }

    /** Roles an actor brings, with all they imply; what the process does not know, or only a history says, is left out. */
    public List<String> expandActorRoles(List<String> roles) {
        Set<String> all = new TreeSet<>();
        for (String role : roles) {
            if (role.equals(Role.SYSTEM)) {
                all.add(role);
            } else if (this.roles.get(role) instanceof Role.ActorRole actorRole) {
                all.add(role);
                all.addAll(actorRole.implies());
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
    public Optional<String> findState(String word) {
        return states.keySet().stream()
                .filter(word::equalsIgnoreCase)
                .findFirst()
                .or(() -> aliases.stream()
                        .filter(alias ->
                                alias.vacantRole().isEmpty() && alias.word().equalsIgnoreCase(word))
                        .map(StateAlias::state)
                        .findFirst());
    }

    /**
     * The state a word in a document means, which may depend on who holds a role in it.
     *
     * @param held whether somebody holds a role in that proposal
     */
    public Optional<String> resolveState(String word, Predicate<String> held) {
        return aliases.stream()
                .filter(alias -> alias.word().equalsIgnoreCase(word))
                .filter(alias ->
                        alias.vacantRole().filter(role -> !held.test(role)).isPresent())
                .map(StateAlias::state)
                .findFirst()
                .or(() -> findState(word));
    }

    private static <T> Map<String, T> ordered(Map<String, T> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
