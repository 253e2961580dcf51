package dev.gavel.lifecycle.process;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The complete definition of a specification process: states, moves, roles, evidence kinds, votes, clocks and aliases.
 * {@link dev.gavel.lifecycle.parser.ProcessFileParser} reads it from a file and validates it; code that builds one
 * directly must ensure that it is consistent.
 *
 * @param startMove the move that submits a proposal
 * @param facts the description of each fact that the caller supplies
 * @param votes the votes by the state in which they are held
 * @param editorialRule which edits do not change the meaning of a proposal
 * @param reminderCoolDown how long a person receives no other reminder about the same proposal
 * @param digestRule the roles that regularly get a list of waiting proposals; empty if there are none
 * @param documentFormat the format of the proposals' documents
 */
public record ProcessDefinition(
        String name,
        String title,
        Map<String, Role> roles,
        Map<String, AttributeDefinition> attributes,
        Map<String, EvidenceDefinition> evidence,
        Map<String, String> facts,
        Map<String, StateDefinition> states,
        MoveDefinition startMove,
        List<MoveDefinition> moveDefinitions,
        Map<String, VoteRule> votes,
        List<ClockRule> clockRules,
        List<StateAlias> aliases,
        ProcessPermissions permissions,
        EditorialRule editorialRule,
        Duration reminderCoolDown,
        Optional<DigestRule> digestRule,
        DocumentFormat documentFormat) {
    public ProcessDefinition {
        roles = ordered(roles);
        attributes = ordered(attributes);
        evidence = ordered(evidence);
        facts = ordered(facts);
        states = ordered(states);
        moveDefinitions = List.copyOf(moveDefinitions);
        votes = ordered(votes);
        clockRules = List.copyOf(clockRules);
        aliases = List.copyOf(aliases);
    }

    /** Returns how texts name the proposals. */
    public ProposalTerms terms() {
        return documentFormat.terms();
    }

    /**
     * Returns the state of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public StateDefinition state(String state) {
        StateDefinition found = states.get(state);
        if (found == null) {
            throw new IllegalArgumentException("the process " + name + " has no state '" + state + "'");
        }
        return found;
    }

    /**
     * Returns the evidence kind of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public EvidenceDefinition evidenceKind(String kind) {
        EvidenceDefinition found = evidence.get(kind);
        if (found == null) {
            throw new IllegalArgumentException("the process " + name + " has no evidence '" + kind + "'");
        }
        return found;
    }

    /** Returns a copy with another document format. */
    public ProcessDefinition withDocumentFormat(DocumentFormat format) {
        return new ProcessDefinition(
                name,
                title,
                roles,
                attributes,
                evidence,
                facts,
                states,
                startMove,
                moveDefinitions,
                votes,
                clockRules,
                aliases,
                permissions,
                editorialRule,
                reminderCoolDown,
                digestRule,
                format);
    }

    /** The moves from a state, in the order of the file. */
    public List<MoveDefinition> movesFrom(String state) {
        return moveDefinitions.stream()
                .filter(moveDefinition -> moveDefinition.from().contains(state))
                .toList();
    }

    /** The move from one state to another. */
    public Optional<MoveDefinition> findMove(String from, String to) {
        return movesFrom(from).stream()
                .filter(moveDefinition -> moveDefinition.to().equals(to))
                .findFirst();
    }

    /**
     * The states for which evidence of a kind may decide while a proposal is in a state: those that the vote decides,
     * and those to which a move leads that requires evidence of this kind.
     */
    public SequencedSet<String> decisionTargets(String state, String kind) {
        VoteRule voteRule = votes.get(state);
        return movesFrom(state).stream()
                .filter(moveDefinition ->
                        (voteRule != null && voteRule.decidedStates().contains(moveDefinition.to()))
                                || moveDefinition.requirements().stream()
                                        .flatMap(MoveRequirement::evidenceKinds)
                                        .anyMatch(kind::equals))
                .map(MoveDefinition::to)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The proposal role of this name, if there is one. */
    public Optional<Role.ProposalRole> findProposalRole(String role) {
        return roles.get(role) instanceof Role.ProposalRole proposalRole ? Optional.of(proposalRole) : Optional.empty();
    }

    /** The role of the proposers. */
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

    /**
     * Returns an actor's roles and all roles that they imply, without unknown roles and without proposal roles, which
     * only a history assigns.
     */
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

    /** The title of a person in a role. */
    public String title(String role) {
        Role found = roles.get(role);
        return found == null ? role : found.title();
    }

    /** The description of a kind of evidence; the kind itself if the process does not define it. */
    public String describeEvidence(String kind) {
        EvidenceDefinition found = evidence.get(kind);
        return found == null ? kind : found.description();
    }

    /** Finds a state by its name or an alias, ignoring case. */
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
     * Finds the state that a word in a document means, which may depend on whether a role is vacant.
     *
     * @param held whether a role has a holder in that proposal
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
