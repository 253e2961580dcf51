package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.history.RoleHolders;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.process.VoteRule;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The inputs of one lifecycle evaluation: process definition, snapshot of the specification proposal, external facts
 * and the current time.
 */
record LifecycleContext(
        ProcessDefinition processDefinition, LifecycleSnapshot snapshot, ExternalFacts externalFacts, Instant now) {
    StateDefinition state() {
        return processDefinition.state(snapshot.state());
    }

    LifecycleContext withSnapshot(LifecycleSnapshot other) {
        return new LifecycleContext(processDefinition, other, externalFacts, now);
    }

    boolean hasRole(Actor actor, String role) {
        if (role.equals(Role.ANYONE)) {
            return !actor.isSystem();
        }
        return processDefinition.findProposalRole(role).isPresent()
                ? !actor.isSystem() && snapshot.holders().holds(actor.person(), role) && isEligible(actor, role)
                : processDefinition.expandActorRoles(actor.roles()).contains(role);
    }

    boolean hasAnyRole(Actor actor, Collection<String> roles) {
        return roles.stream().anyMatch(role -> hasRole(actor, role));
    }

    /**
     * Whether an actor still meets the condition for holding a role, and no other role in the proposal excludes the
     * actor from it; the condition counts as met if the members are unknown.
     */
    boolean isEligible(Actor actor, String role) {
        ExclusionPolicy exclusionPolicy = new ExclusionPolicy(this);
        Optional<Role.ProposalRole> proposalRole = processDefinition.findProposalRole(role);
        if (proposalRole
                .flatMap(found ->
                        exclusionPolicy.findExcludingRole(actor.person(), exclusionPolicy.excludedFromRole(found)))
                .isPresent()) {
            return false;
        }
        return proposalRole
                .flatMap(Role.ProposalRole::eligibleRole)
                .filter(externalFacts.membersByRole()::containsKey)
                .filter(from ->
                        !processDefinition.expandActorRoles(actor.roles()).contains(from))
                .flatMap(this::members)
                .map(members -> members.contains(actor.person()))
                .orElse(true);
    }

    /** Whether no one can act in a proposal role. */
    boolean isVacant(String role) {
        return processDefinition.findProposalRole(role).isPresent()
                && activeHolders(role).isEmpty();
    }

    /** The holders of a proposal role who still meet the condition for holding it, the main one first. */
    List<RoleHolders.Holder> activeHolders(String role) {
        return snapshot.holders().holders(role).stream()
                .filter(holder -> isEligible(holder, role))
                .toList();
    }

    /** The people among {@link #activeHolders}. */
    List<Person> activePeople(String role) {
        return activeHolders(role).stream().map(RoleHolders.Holder::person).toList();
    }

    /** The holders of a proposal role who can no longer act in it, if that was not recorded yet. */
    List<Person> unrecordedLapses(String role) {
        return snapshot.holders().holders(role).stream()
                .filter(holder -> !isEligible(holder, role) && !isLapseRecorded(holder))
                .map(RoleHolders.Holder::person)
                .toList();
    }

    private boolean isEligible(RoleHolders.Holder holder, String role) {
        return isEligible(new Actor(holder.person(), List.of()), role);
    }

    /** Whether a lapse was recorded after the last activity of the holder, who could still act then. */
    private boolean isLapseRecorded(RoleHolders.Holder holder) {
        return holder.lapsedAt()
                .filter(lapsedAt -> snapshot.lastActivityByPerson()
                        .lastActivityOf(holder.person())
                        .filter(lapsedAt::isBefore)
                        .isEmpty())
                .isPresent();
    }

    /**
     * The instant since which a role is vacant, at the earliest the instant at which the state was entered. It is now if
     * a holder can no longer act in the role and that was not recorded yet.
     */
    Instant vacantSince(String role) {
        return unrecordedLapses(role).isEmpty()
                ? latest(snapshot.since(), snapshot.holders().lastLeft(role))
                : now;
    }

    /** The people who can act in a proposal role; for a vacant role or an actor role, the role as a group. */
    List<PersonOrGroup> holdersOrGroup(String role) {
        List<Person> holders = activePeople(role);
        return processDefinition.findProposalRole(role).isPresent() && !holders.isEmpty()
                ? List.copyOf(holders)
                : List.of(new RoleGroup(role));
    }

    /** All people known to have a role, directly or through a role that implies it; empty if no members are known. */
    Optional<List<Person>> members(String role) {
        List<String> roles = processDefinition.roles().values().stream()
                .filter(found -> found.name().equals(role)
                        || (found instanceof Role.ActorRole actorRole
                                && actorRole.implies().contains(role)))
                .map(Role::name)
                .filter(externalFacts.membersByRole()::containsKey)
                .toList();
        return roles.isEmpty()
                ? Optional.empty()
                : Optional.of(roles.stream()
                        .flatMap(found ->
                                Stream.ofNullable(externalFacts.membersByRole().get(found)))
                        .flatMap(List::stream)
                        .distinct()
                        .toList());
    }

    /** The members of a role who can act in the current state: in a vote, without those who take no part in it. */
    Optional<List<Person>> actingMembers(String role) {
        VoteRule rule = processDefinition.votes().get(snapshot.state());
        if (rule == null || !rule.voterRole().equals(role)) {
            return members(role);
        }
        ExclusionPolicy exclusionPolicy = new ExclusionPolicy(this);
        List<String> excludedRoles = exclusionPolicy.excludedFromVote(rule);
        return members(role)
                .map(all -> all.stream()
                        .filter(person -> !exclusionPolicy.isRecused(person)
                                && exclusionPolicy
                                        .findExcludingRole(person, excludedRoles)
                                        .isEmpty())
                        .toList());
    }

    /** The latest evidence of a kind, if it is still valid. */
    Optional<LatestEvidenceByKind.Item> validEvidence(EvidenceDefinition kind) {
        return switch (kind.validity()) {
            case ALWAYS -> snapshot.evidence().latest(kind.name());
            case STATE -> snapshot.evidence().latestInState(kind.name());
            case MOVE -> Optional.empty();
        };
    }

    /** The latest evidence of a kind, if it is valid and, for a decision, the text has not changed during the vote. */
    Optional<LatestEvidenceByKind.Item> countableEvidence(EvidenceDefinition kind) {
        return validEvidence(kind).filter(item -> !isOutdated(kind, item));
    }

    /** Whether evidence is a decision on an earlier text of a proposal that is voted on. */
    boolean isOutdated(EvidenceDefinition kind, LatestEvidenceByKind.Item item) {
        return item.textChanged()
                && kind.format() == EvidenceDefinition.Format.DECISION
                && processDefinition.votes().containsKey(snapshot.state());
    }

    /** Whether an actor has a role that may move the proposal alone to an end state that a vote decides. */
    boolean mayVeto(Actor actor, String to) {
        return processDefinition.state(to).isEnd()
                && processDefinition.votes().values().stream()
                        .anyMatch(rule -> rule.decidedStates().contains(to) && hasAnyRole(actor, rule.vetoRoles()));
    }

    /** The date given by evidence that was attached in this state or came with the move into it. */
    Optional<Instant> evidenceDate(String kind) {
        return snapshot.evidence().latestInState(kind).flatMap(item -> parseDate(item.value()));
    }

    /** The tally of the vote in the current state, if the state has a vote. */
    Optional<VoteTally> voteTally() {
        return Optional.ofNullable(processDefinition.votes().get(snapshot.state()))
                .map(rule -> {
                    ExclusionPolicy exclusionPolicy = new ExclusionPolicy(this);
                    List<String> excludedRoles = exclusionPolicy.excludedFromVote(rule);
                    return VoteTally.of(
                            rule,
                            snapshot.voteRound(),
                            members(rule.voterRole()),
                            person -> exclusionPolicy
                                    .findExcludingRole(person, excludedRoles)
                                    .isPresent());
                });
    }

    /** The value of an attribute, or its default if the proposal sets none. */
    Optional<String> attribute(String name) {
        return Optional.ofNullable(snapshot.attributes().get(name))
                .or(() -> Optional.ofNullable(processDefinition.attributes().get(name))
                        .flatMap(a -> a.defaultValue()));
    }

    static Optional<Instant> parseDate(String text) {
        try {
            return Optional.of(
                    LocalDate.parse(text.strip()).atStartOfDay(ZoneOffset.UTC).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    static Instant latest(Instant one, Optional<Instant> other) {
        return other.filter(instant -> instant.isAfter(one)).orElse(one);
    }
}
