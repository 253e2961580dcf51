package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LastActivityByPerson;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ClockRule.Step;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.lifecycle.result.LifecycleGuidance.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the reminders, escalations and automatic moves that are due for one specification proposal, and performs them.
 *
 * @param recipientChooser chooses the people whom a step reminds if it does not remind a whole group
 */
record ClockActionHandler(LifecycleContext context, ReminderRecipientChooser recipientChooser) {
    /**
     * Returns the actions that are due now. If an automatic move is due, returns only that move: reminders about a
     * state that is about to end would confuse people, and the new state has its own clocks. If the lapse of a role is
     * due, returns only lapses, because they restart clocks.
     */
    List<ClockAction> dueActions() {
        List<ClockAction> lapses = dueLapses();
        if (!lapses.isEmpty()) {
            return lapses;
        }
        List<ClockEvaluator.RunningClock> runningClocks = new ClockEvaluator(context).runningClocks();
        for (ClockEvaluator.RunningClock clock : runningClocks) {
            for (Step step : elapsedSteps(clock)) {
                if (step instanceof Step.AutoMove autoMove && isPossible(autoMove)) {
                    return List.of(new ClockAction.AutoMove(
                            clock.clockRule().name(), autoMove.after(), autoMove.to(), stepMessage(clock, autoMove)));
                }
            }
        }
        List<ClockAction> dueActions = new ArrayList<>();
        Set<PersonOrGroup> remindedParties = new HashSet<>();
        for (ClockEvaluator.RunningClock clock : runningClocks) {
            for (Step step : elapsedSteps(clock)) {
                switch (step) {
                    case Step.Ping ping -> ping(clock, ping, remindedParties).ifPresent(dueActions::add);
                    case Step.Escalate escalate -> {
                        Optional<ClockAction> escalation = escalation(clock, escalate);
                        if (escalation.isPresent()) {
                            dueActions.add(escalation.get());
                            expandGroup(new RoleGroup(escalate.role())).forEach(remindedParties::add);
                        }
                    }
                    case Step.AutoMove _ -> {
                        // handled in the first loop
                    }
                }
            }
        }
        return dueActions;
    }

    private List<ClockAction> dueLapses() {
        if (!context.state().isOpen()) {
            return List.of();
        }
        return context.processDefinition().roles().keySet().stream()
                .<ClockAction>flatMap(role -> context.unrecordedLapses(role).stream()
                        .map(person -> new ClockAction.RoleLapse(
                                role, person, new LifecycleMessageFormatter(context).formatLapse(role, person))))
                .toList();
    }

    /**
     * Performs the action, or refuses it if it is not due now. People whom the action chose are accepted if the step
     * could still choose them, because their load may have changed in the meantime.
     */
    static LifecycleCommandResult<LifecycleEvent> performIfDue(LifecycleContext context, ClockAction requested) {
        Set<PersonOrGroup> preferred =
                requested instanceof ClockAction.Reminder reminder ? Set.copyOf(reminder.recipients()) : Set.of();
        ClockActionHandler handler =
                new ClockActionHandler(context, new ReminderRecipientChooser(context, preferred, _ -> 0));
        return handler.dueActions().stream()
                .filter(requested::isSameAction)
                .findFirst()
                .map(handler::perform)
                .orElseGet(() -> RefusalCode.NOT_DUE.refuse("The clock '" + requested.clock()
                        + "' does not require this now. List the due actions again."));
    }

    private LifecycleCommandResult<LifecycleEvent> perform(ClockAction dueActions) {
        Actor system = Actor.system();
        return switch (dueActions) {
            case ClockAction.Reminder reminder ->
                LifecycleCommandResult.accepted(List.of(new LifecycleEvent.Pinged(
                        context.now(),
                        system,
                        reminder.clock(),
                        reminder.delay(),
                        reminder.recipients(),
                        reminder.text())));
            case ClockAction.Escalation escalation ->
                LifecycleCommandResult.accepted(List.of(new LifecycleEvent.Escalated(
                        context.now(),
                        system,
                        escalation.clock(),
                        escalation.delay(),
                        escalation.role(),
                        escalation.text())));
            case ClockAction.RoleLapse lapse ->
                LifecycleCommandResult.accepted(
                        List.of(new LifecycleEvent.RoleLapsed(context.now(), system, lapse.role(), lapse.person())));
            case ClockAction.AutoMove autoMove -> new MoveHandler(context, system).moveTo(autoMove.to(), List.of());
        };
    }

    /** The steps whose delay has passed, latest first: a later reminder makes an earlier one pointless. */
    private List<Step> elapsedSteps(ClockEvaluator.RunningClock clock) {
        return clock.clockRule().steps().reversed().stream()
                .filter(step -> !clock.dueAt(step).isAfter(context.now()))
                .toList();
    }

    private boolean isPossible(Step.AutoMove autoMove) {
        return new MoveHandler(context, Actor.system()).moveTo(autoMove.to(), List.of())
                instanceof LifecycleCommandResult.Accepted<LifecycleEvent>;
    }

    private Optional<ClockAction> escalation(ClockEvaluator.RunningClock clock, Step.Escalate step) {
        boolean done = context.snapshot().reminderHistory().escalations().stream()
                .anyMatch(earlier -> earlier.clock().equals(clock.clockRule().name())
                        && earlier.after().equals(step.after())
                        && earlier.role().equals(step.role())
                        && !earlier.at().isBefore(clock.start()));
        return done
                ? Optional.empty()
                : Optional.of(new ClockAction.Escalation(
                        clock.clockRule().name(),
                        step.after(),
                        step.role(),
                        messageWithNextStep(clock, step, step.role(), new TurnResolver(context).currentTurn())));
    }

    private Optional<ClockAction> ping(
            ClockEvaluator.RunningClock clock, Step.Ping step, Set<PersonOrGroup> remindedParties) {
        TurnResolver.CurrentTurn turn = new ClockEvaluator(context).reminderTurn(step);
        List<Assignment> assignments = turn.assignments();
        List<PersonOrGroup> recipients = assignments.stream()
                .flatMap(assignment -> recipients(assignment.party(), assignments, clock, step, remindedParties))
                .distinct()
                .filter(remindedParties::add)
                .toList();
        return recipients.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClockAction.Reminder(
                        clock.clockRule().name(),
                        step.after(),
                        recipients,
                        messageWithNextStep(
                                clock, step, assignments.getFirst().role(), new TurnResolver(context).currentTurn())));
    }

    private Stream<PersonOrGroup> recipients(
            PersonOrGroup party,
            List<Assignment> assignments,
            ClockEvaluator.RunningClock clock,
            Step.Ping step,
            Set<PersonOrGroup> remindedParties) {
        if (step.choose().isPresent() && party instanceof RoleGroup group) {
            Optional<List<Person>> members = context.actingMembers(group.role());
            if (members.isPresent()) {
                return chosenRecipients(group, members.get(), clock, step, remindedParties);
            }
        }
        List<PersonOrGroup> people = expandGroup(party).toList();
        return people.stream()
                .filter(person -> !hasVotedBeforeOthers(person, people))
                .filter(person -> isReminderDue(person, assignments, clock, step));
    }

    /**
     * Chooses the members of a group whom a step reminds. The cool-down applies to the group, because a reminder to one
     * member spares the others. A reminder to people who are not members also counts, because another process may have
     * known other members.
     */
    private Stream<PersonOrGroup> chosenRecipients(
            RoleGroup group,
            List<Person> members,
            ClockEvaluator.RunningClock clock,
            Step.Ping step,
            Set<PersonOrGroup> remindedParties) {
        List<Person> candidates = recipientChooser.candidates(members);
        Set<PersonOrGroup> addressees = new HashSet<>(candidates);
        addressees.add(group);
        context.snapshot()
                .reminderHistory()
                .recipientsOf(clock.clockRule().name(), step.after(), clock.start())
                .filter(recipient -> !(recipient instanceof Person person
                        && context.snapshot().proposers().contains(person)))
                .forEach(addressees::add);
        if (remindedParties.contains(group)
                || isCoolingDown(addressees)
                || !isStepDue(
                        addressees,
                        context.snapshot().lastActivityByPerson().lastAnswerOf(group.role()),
                        clock,
                        step)) {
            return Stream.empty();
        }
        remindedParties.add(group);
        return recipientChooser
                .choose(
                        candidates.stream()
                                .filter(person ->
                                        !remindedParties.contains(person) && !escalatedSince(coolDownStart(), person))
                                .toList(),
                        step.choose().orElseThrow())
                .stream()
                .map(person -> person);
    }

    /**
     * Returns the members of a group if they are known, because the cool-down between reminders applies to people, not
     * groups.
     */
    private Stream<PersonOrGroup> expandGroup(PersonOrGroup personOrGroup) {
        return switch (personOrGroup) {
            case Person person -> Stream.of(person);
            case RoleGroup group ->
                context.actingMembers(group.role()).map(List::<PersonOrGroup>copyOf).orElse(List.of(group)).stream();
        };
    }

    /** Whether a person has voted in the current state while another recipient has not. */
    private boolean hasVotedBeforeOthers(PersonOrGroup personOrGroup, List<PersonOrGroup> recipients) {
        Set<Person> voters = context.snapshot().voteRound().ballots().keySet();
        return personOrGroup instanceof Person person && voters.contains(person) && !voters.containsAll(recipients);
    }

    /**
     * Whether the reminder of a step is due for a person or group, which has received no other reminder within the
     * cool-down, directly or as a member of a group.
     */
    private boolean isReminderDue(
            PersonOrGroup personOrGroup,
            List<Assignment> assignments,
            ClockEvaluator.RunningClock clock,
            Step.Ping step) {
        Set<PersonOrGroup> addressees = new HashSet<>(Set.of(personOrGroup));
        assignments.stream()
                .map(Assignment::party)
                .filter(RoleGroup.class::isInstance)
                .forEach(addressees::add);
        LastActivityByPerson activity = context.snapshot().lastActivityByPerson();
        return !escalatedSince(coolDownStart(), personOrGroup)
                && !isCoolingDown(addressees)
                && isStepDue(
                        addressees,
                        switch (personOrGroup) {
                            case Person person -> activity.lastActivityOf(person);
                            case RoleGroup group -> activity.lastAnswerOf(group.role());
                        },
                        clock,
                        step);
    }

    private Instant coolDownStart() {
        return context.now().minus(context.processDefinition().reminderCoolDown());
    }

    private boolean isCoolingDown(Set<PersonOrGroup> addressees) {
        Instant start = coolDownStart();
        return addressees.stream()
                .flatMap(addressee -> context.snapshot().reminderHistory().lastSentTo(addressee).stream())
                .anyMatch(last -> last.isAfter(start));
    }

    /**
     * Whether a step has not reminded these addressees since the clock started, or its repetition is due. A repetition
     * gives way to a reminder of a later step that the cool-down would delay.
     */
    private boolean isStepDue(
            Set<PersonOrGroup> addressees,
            Optional<Instant> lastActivity,
            ClockEvaluator.RunningClock clock,
            Step.Ping step) {
        return context.snapshot()
                .reminderHistory()
                .lastSent(clock.clockRule().name(), step.after(), clock.start(), addressees)
                .map(last -> last.after().equals(step.after())
                        && step.repeat()
                                .map(LifecycleContext.latest(last.at(), lastActivity)::plus)
                                .filter(next -> !next.isAfter(context.now()))
                                .isPresent()
                        && !isOtherReminderNear(clock))
                .orElse(true);
    }

    /** Whether a reminder of the clock becomes due within the cool-down. */
    private boolean isOtherReminderNear(ClockEvaluator.RunningClock clock) {
        return clock.clockRule().steps().stream()
                .filter(Step.Ping.class::isInstance)
                .map(clock::dueAt)
                .anyMatch(due -> due.isAfter(context.now())
                        && due.minus(context.processDefinition().reminderCoolDown())
                                .isBefore(context.now()));
    }

    /**
     * Whether an escalation after the instant addressed this person or group; its recipients need no reminder of the
     * same thing.
     */
    private boolean escalatedSince(Instant instant, PersonOrGroup personOrGroup) {
        return context.snapshot().reminderHistory().escalations().stream()
                .filter(escalated -> escalated.at().isAfter(instant))
                .anyMatch(escalated ->
                        expandGroup(new RoleGroup(escalated.role())).anyMatch(personOrGroup::equals));
    }

    private String messageWithNextStep(
            ClockEvaluator.RunningClock clock, Step step, String role, TurnResolver.CurrentTurn turn) {
        Optional<Deadline> deadline = new ClockEvaluator(context).nextDeadlineAfter(clock, step);
        String nextStep = new GuidanceBuilder(context).nextStepForRole(role, turn, deadline);
        return step.message().isPresent() ? stepMessage(clock, step) + " " + nextStep : nextStep;
    }

    private String stepMessage(ClockEvaluator.RunningClock clock, Step step) {
        Optional<Deadline> deadline = new ClockEvaluator(context).nextDeadlineAfter(clock, step);
        return step.message()
                .map(textTemplate -> new LifecycleMessageFormatter(context).fill(textTemplate, deadline))
                .orElse("");
    }
}
