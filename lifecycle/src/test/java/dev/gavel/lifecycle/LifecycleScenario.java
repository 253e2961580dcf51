package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.MoveEligibility;
import java.time.Instant;
import java.util.List;

/**
 * Test fixture: plays commands against the garden process day by day and checks the results. Each step returns a new
 * scenario.
 */
record LifecycleScenario(LifecycleHistory history, ExternalFacts externalFacts, Instant now) {
    LifecycleScenario() {
        this(LifecycleHistory.empty(), GardenProcess.KNOWN, GardenProcess.day(0));
    }

    LifecycleScenario onDay(int day) {
        return new LifecycleScenario(history, externalFacts, GardenProcess.day(day));
    }

    LifecycleScenario withFacts(ExternalFacts other) {
        return new LifecycleScenario(history, other, now);
    }

    LifecycleScenario perform(LifecycleCommand command) {
        return new LifecycleScenario(history.append(expectAccepted(command).events()), externalFacts, now);
    }

    LifecycleCommandResult.Accepted<LifecycleEvent> expectAccepted(LifecycleCommand command) {
        return switch (decide(command)) {
            case LifecycleCommandResult.Accepted<LifecycleEvent> accepted -> accepted;
            case LifecycleCommandResult.Refused<LifecycleEvent> refused ->
                throw new AssertionError(command + ": " + refused.refusal());
        };
    }

    LifecycleRefusal expectRefused(LifecycleCommand command) {
        return switch (decide(command)) {
            case LifecycleCommandResult.Accepted<LifecycleEvent> accepted ->
                throw new AssertionError(command + ": " + accepted);
            case LifecycleCommandResult.Refused<LifecycleEvent> refused -> refused.refusal();
        };
    }

    LifecycleCommandResult<LifecycleEvent> decide(LifecycleCommand command) {
        return GardenProcess.LIFECYCLE.decide(history, command, externalFacts, now);
    }

    LifecycleGuidance guidance(Actor reader) {
        return GardenProcess.LIFECYCLE.guidance(history, reader, externalFacts, now);
    }

    MoveEligibility explain(Actor reader, String to) {
        return GardenProcess.LIFECYCLE.explain(history, reader, to, externalFacts, now);
    }

    List<ClockAction> dueActions() {
        return GardenProcess.LIFECYCLE.dueActions(history, externalFacts, now);
    }

    /** Performs all due actions. */
    LifecycleScenario performDueActions() {
        LifecycleScenario lifecycleScenario = this;
        for (ClockAction clockAction : dueActions()) {
            lifecycleScenario = lifecycleScenario.perform(new LifecycleCommand.PerformClockAction(clockAction));
        }
        return lifecycleScenario;
    }

    LifecycleSnapshot snapshot() {
        return history.snapshot().orElseThrow();
    }

    String state() {
        return snapshot().state();
    }
}
