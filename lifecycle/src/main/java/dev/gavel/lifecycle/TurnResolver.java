package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LatestEvidenceByKind;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.RoleHolders;
import dev.gavel.lifecycle.process.ProcessState;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Determines who must act on a specification proposal now and whose answers they wait for. */
record TurnResolver(LifecycleContext context) {
    /**
     * A role's turn, and those who have it.
     *
     * @param vacantRole the held role whose place they take because nobody holds it
     */
    record CurrentTurn(List<Assignment> assignments, Optional<Role.ProposalRole> vacantRole) {}

    /** Whose turn it is by the state alone; nobody's where the state is not open. */
    CurrentTurn currentTurn() {
        Instant since = context.snapshot().since();
        for (String role : context.state().requiredRoles()) {
            if (context.isVacant(role)) {
                return turnOf(role, since);
            }
            // Whoever's turn it is could not go on before the role was filled.
            since = LifecycleContext.latest(
                    since,
                    context.snapshot().holders().of(role).stream()
                            .map(RoleHolders.Holder::since)
                            .min(Instant::compareTo));
        }
        for (ProcessState.Turn turn : context.state().turns()) {
            Optional<Instant> passed = passedAt(turn);
            if (passed.isEmpty()) {
                return turnOf(turn.role(), since);
            }
            since = LifecycleContext.latest(since, passed);
        }
        return new CurrentTurn(List.of(), Optional.empty());
    }

    /** Those who have a role; where nobody holds it, those it is taken from. */
    CurrentTurn turnOf(String role, Instant since) {
        Optional<Role.ProposalRole> proposalRole = context.processDefinition().findProposalRole(role);
        if (proposalRole.isEmpty()) {
            return new CurrentTurn(List.of(new Assignment(new RoleGroup(role), role, since)), Optional.empty());
        }
        if (context.isVacant(role)) {
            String from = proposalRole.get().eligibleRole().orElse(role);
            Instant vacant = LifecycleContext.latest(since, Optional.of(context.vacantSince(role)));
            return new CurrentTurn(List.of(new Assignment(new RoleGroup(from), from, vacant)), proposalRole);
        }
        return new CurrentTurn(
                context.snapshot().holders().of(role).stream()
                        .map(holder -> new Assignment(
                                holder.person(), role, LifecycleContext.latest(since, Optional.of(holder.since()))))
                        .toList(),
                Optional.empty());
    }

    /** Everybody who must act: whose turn it is, those of them who were asked by name, and whom it was escalated to. */
    List<Assignment> mustAct() {
        List<Assignment> all = new ArrayList<>(currentTurn().assignments());
        for (Assignment assignment : currentTurn().assignments()) {
            for (LifecycleEvent.QuestionAsked asked :
                    context.snapshot().lastActivity().openQuestions()) {
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
        ClockEvaluator clockEvaluator = new ClockEvaluator(context);
        for (LifecycleEvent.Escalated escalated :
                context.snapshot().reminderHistory().escalations()) {
            if (clockEvaluator.isEscalationActive(escalated)) {
                add(all, new Assignment(new RoleGroup(escalated.role()), escalated.role(), escalated.at()));
            }
        }
        return all;
    }

    /** Others whose answer is needed: the state's, and people asked who have not answered. */
    List<PersonOrGroup> waitingOn() {
        if (!context.state().isOpen()) {
            return List.of();
        }
        Set<PersonOrGroup> all = new LinkedHashSet<>();
        for (String role : context.state().awaitedRoles()) {
            if (!context.isVacant(role)) {
                all.addAll(context.holdersOrGroup(role));
            }
        }
        context.snapshot().lastActivity().openQuestions().forEach(asked -> all.add(asked.addressee()));
        mustAct().forEach(assignment -> all.remove(assignment.party()));
        return List.copyOf(all);
    }

    /** Whether a reader is one who must act. */
    boolean includes(Assignment assignment, Actor reader) {
        return switch (assignment.party()) {
            case Person person -> person.equals(reader.person());
            case RoleGroup group -> context.hasRole(reader, group.role());
        };
    }

    /** The roles that have had their turn in this state. */
    Set<String> finishedRoles() {
        Set<String> roles = new LinkedHashSet<>();
        for (ProcessState.Turn turn : context.state().turns()) {
            if (passedAt(turn).isEmpty()) {
                break;
            }
            roles.add(turn.role());
        }
        return roles;
    }

    /** When all that ends a turn was there; empty while it is not. */
    private Optional<Instant> passedAt(ProcessState.Turn turn) {
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

    private static void add(List<Assignment> all, Assignment more) {
        if (all.stream().noneMatch(assignment -> assignment.party().equals(more.party()))) {
            all.add(more);
        }
    }
}
