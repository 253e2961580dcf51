package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.VoteRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Determines who takes no part in a vote, move, piece of evidence or role because of a role that they hold in the same
 * specification proposal. By default, the proposers do not decide on their own proposal.
 */
record ExclusionPolicy(LifecycleContext context) {
    /** The roles whose holders may not vote. */
    List<String> excludedFromVote(VoteRule rule) {
        return rule.excludedRoles().orElseGet(this::proposerRole);
    }

    /** The roles whose holders may not make a move. */
    List<String> excludedFromMove(MoveDefinition moveDefinition) {
        return moveDefinition
                .excludedRoles()
                .orElseGet(() -> moveDefinition
                        .takenRole()
                        .flatMap(process()::findProposalRole)
                        .map(this::excludedFromRole)
                        .orElseGet(() -> decidesVote(moveDefinition) ? proposerRole() : List.of()));
    }

    /** The roles whose holders may not take or hold a role. */
    List<String> excludedFromRole(Role.ProposalRole role) {
        return role.proposer() ? List.of() : role.excludedRoles().orElseGet(this::proposerRole);
    }

    /** The roles whose holders may neither give nor confirm evidence. */
    List<String> excludedFromEvidence(EvidenceDefinition kind) {
        return kind.excludedRoles().orElseGet(() -> decides(kind) ? proposerRole() : List.of());
    }

    /**
     * The first of several roles because of which a person is excluded. The person who submitted the proposal counts as
     * a proposer also after giving up that role.
     */
    Optional<String> findExcludingRole(Person person, List<String> roles) {
        return roles.stream()
                .filter(role -> context.snapshot().holders().holds(person, role)
                        || (role.equals(context.snapshot().proposerRole())
                                && context.snapshot()
                                        .submitter()
                                        .filter(person::equals)
                                        .isPresent()))
                .findFirst();
    }

    /**
     * Why an actor may not take part in a decision, such as "is the author (ada)"; empty if the actor may.
     *
     * @param roles the excluded roles
     * @param decision whether voters who recused themselves are excluded as well
     */
    Optional<String> findReason(Actor actor, List<String> roles, boolean decision) {
        return findExcludingRole(actor.person(), roles)
                .map(role -> "is " + context.processDefinition().title(role))
                .or(() -> Optional.of("takes no part in the vote").filter(_ -> decision && isRecused(actor.person())));
    }

    /** Why an actor with the voter role takes no part in the vote of the current state; empty if the actor does. */
    Optional<String> findReasonInVote(Actor actor) {
        return Optional.ofNullable(process().votes().get(context.snapshot().state()))
                .filter(rule -> context.hasRole(actor, rule.voterRole()))
                .flatMap(rule -> findReason(actor, excludedFromVote(rule), true));
    }

    /** Whether a person chose to take no part in the vote of the current state. */
    boolean isRecused(Person person) {
        return Optional.ofNullable(context.snapshot().voteRound().ballots().get(person))
                .filter(castBallot -> castBallot.ballotChoice() == BallotChoice.RECUSE)
                .isPresent();
    }

    /** Whether evidence takes part in a decision: it needs a confirmation, or replaces the result of a vote. */
    boolean decides(EvidenceDefinition kind) {
        return kind.format() == EvidenceDefinition.Format.DECISION
                || kind.confirmingRole().isPresent()
                || (!kind.format().isResultOfVote()
                        && process().moveDefinitions().stream()
                                .filter(this::decidesVote)
                                .flatMap(moveDefinition -> moveDefinition.requirements().stream())
                                .flatMap(ExclusionPolicy::choices)
                                .anyMatch(choices -> choices.contains(kind.name()) && hasResultOfVote(choices)));
    }

    /** Whether a move leads from a state with a vote to a state that the vote decides. */
    boolean decidesVote(MoveDefinition moveDefinition) {
        return moveDefinition.from().stream()
                .flatMap(from -> Stream.ofNullable(process().votes().get(from)))
                .anyMatch(rule -> rule.decidedStates().contains(moveDefinition.to()));
    }

    /** The kinds of evidence of each choice in a requirement. */
    private static Stream<Set<String>> choices(MoveRequirement moveRequirement) {
        return switch (moveRequirement) {
            case MoveRequirement.AnyOf anyOf ->
                Stream.of(anyOf.evidenceKinds().collect(Collectors.toUnmodifiableSet()));
            case MoveRequirement.WithDescription withDescription -> choices(withDescription.requirement());
            case MoveRequirement.ForAttribute forAttribute -> choices(forAttribute.requirement());
            default -> Stream.empty();
        };
    }

    private boolean hasResultOfVote(Set<String> kinds) {
        return kinds.stream()
                .anyMatch(kind -> process().evidenceKind(kind).format().isResultOfVote());
    }

    private List<String> proposerRole() {
        return List.of(process().proposerRole().name());
    }

    private ProcessDefinition process() {
        return context.processDefinition();
    }
}
