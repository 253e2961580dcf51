package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ClockRule;
import dev.gavel.lifecycle.process.ClockRule.Start;
import dev.gavel.lifecycle.process.ClockRule.Step;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.MoveRequirement;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.lifecycle.result.LifecycleGuidance.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Computes which timed rules of a process apply to a specification proposal now, since when, and the next deadline they
 * set.
 */
record ClockEvaluator(LifecycleContext context) {
    /** A clock that runs, with the instant at which it started. */
    record RunningClock(ClockRule clockRule, Instant start) {
        Instant dueAt(Step step) {
            return start.plus(step.after());
        }
    }

    /** The clocks that run now, in the order of the process. No clock runs while the decision is on hold. */
    List<RunningClock> runningClocks() {
        List<RunningClock> runningClocks = new ArrayList<>();
        for (ClockRule clockRule : context.processDefinition().clockRules()) {
            start(clockRule).ifPresent(start -> runningClocks.add(new RunningClock(clockRule, start)));
        }
        return runningClocks;
    }

    /** Whether an escalation still applies: its clock runs and has not restarted since. */
    boolean isEscalationActive(LifecycleEvent.Escalated escalated) {
        return context.processDefinition().clockRules().stream()
                .filter(clockRule -> clockRule.name().equals(escalated.clock()))
                .map(this::start)
                .flatMap(Optional::stream)
                .anyMatch(start -> !escalated.at().isBefore(start));
    }

    /**
     * The next deadline of all running clocks; if every deadline has passed, the next repetition of a reminder or, if
     * no reminder is repeated, the latest deadline.
     */
    Optional<Deadline> nextDeadline() {
        return nextDeadline(runningClocks());
    }

    /** The next deadline of one clock after one of its steps; empty if no step follows. */
    Optional<Deadline> nextDeadlineAfter(RunningClock runningClock, Step step) {
        return runningClock
                .clockRule()
                .after(step.after())
                .flatMap(later -> nextDeadline(List.of(new RunningClock(later, runningClock.start()))));
    }

    /** A step and the instant at which it takes effect. */
    private record Coming(Step step, Instant when) {}

    private Optional<Deadline> nextDeadline(List<RunningClock> clocks) {
        List<Coming> all = new ArrayList<>();
        for (RunningClock runningClocks : clocks) {
            for (Step step : runningClocks.clockRule().steps()) {
                dueAt(runningClocks, step).ifPresent(when -> all.add(new Coming(step, when)));
            }
        }
        Comparator<Coming> byTime = Comparator.comparing(Coming::when);
        return all.stream()
                .filter(scheduledStep -> scheduledStep.when().isAfter(context.now()))
                .min(byTime)
                .or(() -> clocks.stream()
                        .flatMap(clock -> nextRepetition(clock).stream())
                        .min(byTime))
                .or(() -> all.stream().max(byTime))
                .map(scheduledStep -> new Deadline(scheduledStep.when(), describeStep(scheduledStep.step())));
    }

    /** When the last reminder of a clock is repeated, if it has been sent. */
    private Optional<Coming> nextRepetition(RunningClock clock) {
        return clock.clockRule().steps().reversed().stream()
                .filter(step -> !clock.dueAt(step).isAfter(context.now()))
                .<Step.Ping>mapMulti((step, found) -> {
                    if (step instanceof Step.Ping ping) {
                        found.accept(ping);
                    }
                })
                .findFirst()
                .flatMap(ping -> ping.repeat()
                        .flatMap(repeat -> context.snapshot()
                                .reminderHistory()
                                .lastSent(clock.clockRule().name(), ping.after(), clock.start())
                                .map(last -> new Coming(ping, last.at().plus(repeat)))))
                .filter(repetition -> repetition.when().isAfter(context.now()));
    }

    /**
     * The instant at which a step takes effect. An automatic move also waits until its requirements are met; empty if a
     * person must act to meet them.
     */
    private Optional<Instant> dueAt(RunningClock runningClocks, Step step) {
        Instant when = runningClocks.dueAt(step);
        if (!(step instanceof Step.AutoMove autoMove)) {
            return Optional.of(when);
        }
        Optional<MoveDefinition> moveDefinition =
                context.processDefinition().findMove(context.snapshot().state(), autoMove.to());
        if (moveDefinition.isEmpty()) {
            return Optional.empty();
        }
        RequirementEvaluator requirementEvaluator =
                new RequirementEvaluator(context, moveDefinition.get(), Actor.system(), List.of());
        for (MoveRequirement moveRequirement : moveDefinition.get().requirements()) {
            Optional<Instant> met = requirementEvaluator.metAt(moveRequirement);
            if (met.isEmpty()) {
                return Optional.empty();
            }
            when = LifecycleContext.latest(when, met.filter(instant -> instant.isAfter(context.now())));
        }
        return Optional.of(when);
    }

    private String describeStep(Step step) {
        LifecycleMessageFormatter lifecycleMessageFormatter = new LifecycleMessageFormatter(context);
        Optional<String> message =
                step.message().map(textTemplate -> lifecycleMessageFormatter.fill(textTemplate, Optional.empty()));
        return switch (step) {
            case Step.Ping ping ->
                lifecycleMessageFormatter.formatParties(reminderTurn(ping).assignments().stream()
                                .map(Assignment::party)
                                .toList())
                        + " will be reminded";
            case Step.AutoMove autoMove -> message.orElse("it moves to " + autoMove.to() + " automatically");
            case Step.Escalate escalate ->
                message.orElseGet(
                        () -> lifecycleMessageFormatter.formatRoles(List.of(escalate.role())) + " must also act");
        };
    }

    /** The people and groups that a reminder step addresses. */
    TurnResolver.CurrentTurn reminderTurn(Step.Ping ping) {
        TurnResolver turnResolver = new TurnResolver(context);
        return ping.role()
                .map(role -> turnResolver.turnOf(role, context.snapshot().since()))
                .orElseGet(turnResolver::currentTurn);
    }

    private Optional<Instant> start(ClockRule clockRule) {
        if (!clockRule.states().contains(context.snapshot().state())
                || context.snapshot().voteRound().hold().isPresent()
                || clockRule
                        .stopsOnEvidence()
                        .flatMap(context.snapshot().evidence()::latestInState)
                        .isPresent()) {
            return Optional.empty();
        }
        return start(clockRule.start())
                .map(start -> LifecycleContext.latest(
                        start, context.snapshot().voteRound().releasedAt()))
                .filter(start -> clockRule
                        .stopsOnActivityOf()
                        .flatMap(role ->
                                context.snapshot().lastActivityByPerson().lastAnswerOf(role))
                        .filter(answer -> answer.isAfter(start))
                        .isEmpty());
    }

    private Optional<Instant> start(Start start) {
        return switch (start) {
            case Start.Submission() -> Optional.of(context.snapshot().submittedAt());
            case Start.StateEntry() -> Optional.of(context.snapshot().since());
            case Start.ActorActivity() -> lastActivityOf(new TurnResolver(context).currentTurn());
            case Start.HolderActivity(String role) ->
                lastActivityOf(new TurnResolver(context)
                        .turnOf(role, context.snapshot().since()));
            case Start.PresentHolderActivity(String role) ->
                context.isVacant(role) ? Optional.empty() : start(new Start.HolderActivity(role));
            case Start.RoleVacancy(String role) ->
                context.isVacant(role) ? Optional.of(context.vacantSince(role)) : Optional.empty();
            case Start.EvidenceDate(String kind) -> context.evidenceDate(kind);
        };
    }

    /** The latest activity of any of those whose turn it is, or the start of the turn if that is later. */
    private Optional<Instant> lastActivityOf(TurnResolver.CurrentTurn turn) {
        return turn.assignments().stream()
                .map(assignment -> LifecycleContext.latest(
                        assignment.since(),
                        switch (assignment.party()) {
                            case Person person ->
                                context.snapshot().lastActivityByPerson().lastActivityOf(person);
                            case RoleGroup group ->
                                context.snapshot().lastActivityByPerson().lastAnswerOf(group.role());
                        }))
                .max(Instant::compareTo);
    }
}
