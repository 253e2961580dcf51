package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.RoleHolders;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.lifecycle.result.PendingConfirmation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Determines who must act on a specification proposal now and whose answers they wait for. */
record TurnResolver(LifecycleContext context) {
    /**
     * The people or group whose turn it is.
     *
     * @param vacantRole the vacant proposal role for which they act, if there is one
     */
    record CurrentTurn(List<Assignment> assignments, Optional<Role.ProposalRole> vacantRole) {}

    /** The turn by the state alone, without questions and escalations; no assignments if the state is not open. */
    CurrentTurn currentTurn() {
        Instant since = context.snapshot().since();
        for (String role : context.state().requiredRoles()) {
            if (context.isVacant(role)) {
                return turnOf(role, since);
            }
            // Those whose turn it is could not continue before the role was taken.
            since = LifecycleContext.latest(
                    since,
                    context.activeHolders(role).stream()
                            .map(RoleHolders.Holder::since)
                            .min(Instant::compareTo));
        }
        for (StateDefinition.Turn turn : context.state().turns()) {
            Optional<Instant> finishedAt = finishedAt(turn);
            if (finishedAt.isEmpty()) {
                return turnOf(turn.role(), since);
            }
            since = LifecycleContext.latest(since, finishedAt);
        }
        return new CurrentTurn(List.of(), Optional.empty());
    }

    /** The turn of a role: its holders, or, if it is vacant, those who are eligible to take it. */
    CurrentTurn turnOf(String role, Instant since) {
        Optional<Role.ProposalRole> proposalRole = context.processDefinition().findProposalRole(role);
        if (proposalRole.isEmpty()) {
            return new CurrentTurn(List.of(new Assignment(new RoleGroup(role), role, since)), Optional.empty());
        }
        if (context.isVacant(role)) {
            String from = proposalRole.get().eligibleRole().orElse(role);
            Instant vacantSince = LifecycleContext.latest(since, Optional.of(context.vacantSince(role)));
            return new CurrentTurn(List.of(new Assignment(new RoleGroup(from), from, vacantSince)), proposalRole);
        }
        return new CurrentTurn(
                context.activeHolders(role).stream()
                        .map(holder -> new Assignment(
                                holder.person(), role, LifecycleContext.latest(since, Optional.of(holder.since()))))
                        .toList(),
                Optional.empty());
    }

    /**
     * All who must act: those whose turn it is, members of their group who were asked by name, and the roles to which
     * the proposal was escalated.
     */
    List<Assignment> requiredActors() {
        List<Assignment> all = new ArrayList<>(currentTurn().assignments());
        for (Assignment assignment : currentTurn().assignments()) {
            for (LifecycleEvent.QuestionAsked asked :
                    context.snapshot().lastActivityByPerson().openQuestions()) {
                if (assignment.party() instanceof RoleGroup group && isMember(asked.addressee(), group)) {
                    add(
                            all,
                            new Assignment(
                                    asked.addressee(),
                                    assignment.role(),
                                    LifecycleContext.latest(assignment.since(), Optional.of(asked.at()))));
                }
            }
        }
        if (context.state().isOpen()) {
            for (PendingConfirmation pending : ConfirmationHandler.pending(context)) {
                String role = pending.confirmingRole();
                add(
                        all,
                        new Assignment(
                                new RoleGroup(role),
                                role,
                                LifecycleContext.latest(context.snapshot().since(), Optional.of(pending.givenAt()))));
            }
        }
        ClockEvaluator clockEvaluator = new ClockEvaluator(context);
        for (LifecycleEvent.Escalated escalated :
                context.snapshot().reminderHistory().escalations()) {
            if (clockEvaluator.isEscalationActive(escalated)) {
                add(all, new Assignment(new RoleGroup(escalated.role()), escalated.role(), escalated.at()));
            }
        }
        return all;
    }

    /** Others whose answer is needed: the awaited roles of the state, and people who have not answered a question. */
    List<PersonOrGroup> awaitedParties() {
        if (!context.state().isOpen()) {
            return List.of();
        }
        Set<PersonOrGroup> all = new LinkedHashSet<>();
        for (String role : context.state().awaitedRoles()) {
            if (!context.isVacant(role)) {
                all.addAll(context.holdersOrGroup(role));
            }
        }
        context.snapshot().lastActivityByPerson().openQuestions().forEach(asked -> all.add(asked.addressee()));
        requiredActors().forEach(assignment -> all.remove(assignment.party()));
        return List.copyOf(all);
    }

    /** Whether the reader is the person of an assignment or belongs to its group. */
    boolean includes(Assignment assignment, Actor reader) {
        return switch (assignment.party()) {
            case Person person -> person.equals(reader.person());
            case RoleGroup group ->
                context.hasRole(reader, group.role())
                        && !(isVoterRole(group.role())
                                && new ExclusionPolicy(context)
                                        .findReasonInVote(reader)
                                        .isPresent());
        };
    }

    private boolean isVoterRole(String role) {
        return Optional.ofNullable(context.processDefinition()
                        .votes()
                        .get(context.snapshot().state()))
                .filter(rule -> rule.voterRole().equals(role))
                .isPresent();
    }

    /** The roles whose turn in this state is over. */
    Set<String> finishedRoles() {
        Set<String> roles = new LinkedHashSet<>();
        for (StateDefinition.Turn turn : context.state().turns()) {
            if (finishedAt(turn).isEmpty()) {
                break;
            }
            roles.add(turn.role());
        }
        return roles;
    }

    /** The instant at which all evidence that ends a turn was present; empty while some is missing. */
    private Optional<Instant> finishedAt(StateDefinition.Turn turn) {
        if (turn.untilEvidence().isEmpty()) {
            return Optional.empty();
        }
        Instant last = Instant.MIN;
        for (String name : turn.untilEvidence()) {
            Optional<LatestEvidenceByKind.Item> item =
                    context.validEvidence(context.processDefinition().evidenceKind(name));
            if (item.isEmpty()) {
                return Optional.empty();
            }
            last = LifecycleContext.latest(last, item.map(LatestEvidenceByKind.Item::at));
        }
        return Optional.of(last);
    }

    private boolean isMember(Person person, RoleGroup group) {
        return context.members(group.role())
                .filter(members -> members.contains(person))
                .isPresent();
    }

    private static void add(List<Assignment> all, Assignment newAssignment) {
        if (all.stream().noneMatch(assignment -> assignment.party().equals(newAssignment.party()))) {
            all.add(newAssignment);
        }
    }
}
