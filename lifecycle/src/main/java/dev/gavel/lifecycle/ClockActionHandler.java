package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.ReminderHistory;
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
 */
record ClockActionHandler(LifecycleContext context) {
    /**
     * Returns the actions that are due now. If an automatic move is due, returns only that move: reminders about a
     * state that is about to end would confuse people, and the new state has its own clocks.
     */
    List<ClockAction> dueActions() {
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

    /** Performs the action, or refuses it if it is not due now. */
    LifecycleCommandResult<LifecycleEvent> performIfDue(ClockAction requested) {
        return dueActions().stream()
                .filter(requested::isSameAction)
                .findFirst()
                .map(this::perform)
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
                .flatMap(assignment -> expandGroup(assignment.party()))
                .distinct()
                .filter(personOrGroup -> isReminderDue(personOrGroup, assignments, clock, step))
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

    /**
     * Returns the members of a group if they are known, because the cool-down between reminders applies to people, not
     * groups.
     */
    private Stream<PersonOrGroup> expandGroup(PersonOrGroup personOrGroup) {
        return switch (personOrGroup) {
            case Person person -> Stream.of(person);
            case RoleGroup group ->
                context.members(group.role()).map(List::<PersonOrGroup>copyOf).orElse(List.of(group)).stream();
        };
    }

    /**
     * Whether a person or group has not received this reminder, and no reminder at all within the cool-down, directly
     * or as a member of a group.
     */
    private boolean isReminderDue(
            PersonOrGroup personOrGroup,
            List<Assignment> assignments,
            ClockEvaluator.RunningClock clock,
            Step.Ping step) {
        ReminderHistory reminderHistory = context.snapshot().reminderHistory();
        Instant coolDownStart = context.now().minus(context.processDefinition().reminderCoolDown());
        if (escalatedSince(coolDownStart, personOrGroup)) {
            return false;
        }
        return Stream.concat(Stream.of(personOrGroup), assignments.stream().map(Assignment::party))
                .filter(addressee -> addressee.equals(personOrGroup) || addressee instanceof RoleGroup)
                .noneMatch(addressee ->
                        reminderHistory.wasSent(clock.clockRule().name(), step.after(), addressee, clock.start())
                                || reminderHistory
                                        .lastSentTo(addressee)
                                        .filter(last -> last.isAfter(coolDownStart))
                                        .isPresent());
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
