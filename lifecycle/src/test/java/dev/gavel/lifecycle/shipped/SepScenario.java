package dev.gavel.lifecycle.shipped;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Test fixture: plays a SEP's commands against a shipped process step by step and checks the results. Each step returns
 * a new scenario.
 */
record SepScenario(
        LifecycleEngine lifecycleEngine, LifecycleHistory history, ExternalFacts externalFacts, Instant now) {
    /** Returns a scenario without events. */
    static SepScenario start(LifecycleEngine lifecycleEngine) {
        return new SepScenario(
                lifecycleEngine,
                LifecycleHistory.empty(),
                ShippedProcessFixtures.ALL_FACTS_HOLD,
                ShippedProcessFixtures.START);
    }

    /**
     * A SEP by Ada that is in a state since the first day, with only the given evidence from the move into it; Sam
     * sponsors it in every state except proposal and dormant.
     */
    static SepScenario inState(LifecycleEngine lifecycleEngine, String state, String type, Evidence... entry) {
        List<LifecycleEvent> events = new ArrayList<>();
        events.add(new LifecycleEvent.Submitted(
                ShippedProcessFixtures.START,
                ShippedProcessFixtures.ADA,
                "proposal",
                "author",
                List.of(ShippedProcessFixtures.ADA.person()),
                Map.of("type", type)));
        if (!state.equals("proposal")) {
            events.add(new LifecycleEvent.Moved(
                    ShippedProcessFixtures.START, ShippedProcessFixtures.CHET, "proposal", state, List.of(entry)));
        }
        if (!List.of("proposal", "dormant").contains(state)) {
            events.add(new LifecycleEvent.RoleTaken(
                    ShippedProcessFixtures.START,
                    ShippedProcessFixtures.SAM,
                    "sponsor",
                    ShippedProcessFixtures.SAM.person()));
        }
        return new SepScenario(
                lifecycleEngine,
                LifecycleHistory.of(events),
                ShippedProcessFixtures.ALL_FACTS_HOLD,
                ShippedProcessFixtures.START);
    }

    static SepScenario inState(LifecycleEngine lifecycleEngine, String state) {
        return inState(lifecycleEngine, state, "Standards Track");
    }

    SepScenario onDay(long day) {
        return atInstant(ShippedProcessFixtures.day(day));
    }

    SepScenario atInstant(Instant instant) {
        return new SepScenario(lifecycleEngine, history, externalFacts, instant);
    }

    SepScenario withFacts(ExternalFacts other) {
        return new SepScenario(lifecycleEngine, history, other, now);
    }

    SepScenario perform(LifecycleCommand command) {
        return switch (decide(command)) {
            case LifecycleCommandResult.Accepted<LifecycleEvent> accepted ->
                new SepScenario(lifecycleEngine, history.append(accepted.events()), externalFacts, now);
            case LifecycleCommandResult.Refused<LifecycleEvent> refused ->
                throw new AssertionError(command + ": " + refused.refusal());
        };
    }

    SepScenario move(Actor by, String to, Evidence... evidence) {
        return perform(new LifecycleCommand.MoveTo(by, to, List.of(evidence)));
    }

    /** A decision for a state that Chet gives and Cleo confirms. */
    SepScenario decided(String to) {
        return attach(ShippedProcessFixtures.CHET, ShippedProcessFixtures.decision(to))
                .confirm(ShippedProcessFixtures.CLEO, "decision");
    }

    SepScenario attach(Actor by, Evidence... evidence) {
        return perform(new LifecycleCommand.Attach(by, List.of(evidence)));
    }

    SepScenario confirm(Actor by, String kind) {
        return perform(new LifecycleCommand.Confirm(by, kind, Optional.empty()));
    }

    SepScenario comment(Actor by) {
        return perform(new LifecycleCommand.Comment(by, "Hm."));
    }

    LifecycleRefusal expectRefused(LifecycleCommand command) {
        return switch (decide(command)) {
            case LifecycleCommandResult.Accepted<LifecycleEvent> accepted ->
                throw new AssertionError(command + ": " + accepted);
            case LifecycleCommandResult.Refused<LifecycleEvent> refused -> refused.refusal();
        };
    }

    LifecycleRefusal expectMoveRefused(Actor by, String to, Evidence... evidence) {
        return expectRefused(new LifecycleCommand.MoveTo(by, to, List.of(evidence)));
    }

    LifecycleCommandResult<LifecycleEvent> decide(LifecycleCommand command) {
        return lifecycleEngine.decide(history, command, externalFacts, now);
    }

    LifecycleGuidance guidance(Actor reader) {
        return lifecycleEngine.guidance(history, reader, externalFacts, now);
    }

    List<ClockAction> dueActions() {
        return lifecycleEngine.dueActions(history, externalFacts, now);
    }

    SepScenario performDueActions() {
        SepScenario sepScenario = this;
        for (ClockAction clockAction : dueActions()) {
            sepScenario = sepScenario.perform(new LifecycleCommand.PerformClockAction(clockAction));
        }
        return sepScenario;
    }

    LifecycleSnapshot snapshot() {
        return history.snapshot().orElseThrow();
    }

    String state() {
        return snapshot().state();
    }
}
