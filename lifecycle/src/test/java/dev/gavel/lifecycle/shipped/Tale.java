package dev.gavel.lifecycle.shipped;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.lifecycle.people.Actor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A SEP's life under a process, told step by step. Each step gives a new tale. */
record Tale(Lifecycle lifecycle, History history, Circumstances circumstances, Instant now) {
    /** Nothing has happened yet. */
    static Tale under(Lifecycle lifecycle) {
        return new Tale(lifecycle, History.empty(), Shipped.ALL_THERE, Shipped.START);
    }

    /**
     * A SEP of Ada's that is in a state since the first day, with no evidence but what it came with; Sam sponsors it
     * where it came so far.
     */
    static Tale in(Lifecycle lifecycle, String state, String type, Evidence... entry) {
        List<Event> events = new ArrayList<>();
        events.add(new Event.Submitted(
                Shipped.START, Shipped.ADA, "proposal", "author", List.of(Shipped.ADA.person()), Map.of("type", type)));
        if (!state.equals("proposal")) {
            events.add(new Event.Moved(Shipped.START, Shipped.CHET, "proposal", state, List.of(entry)));
        }
        if (!List.of("proposal", "dormant").contains(state)) {
            events.add(new Event.RoleTaken(Shipped.START, Shipped.SAM, "sponsor", Shipped.SAM.person()));
        }
        return new Tale(lifecycle, History.of(events), Shipped.ALL_THERE, Shipped.START);
    }

    static Tale in(Lifecycle lifecycle, String state) {
        return in(lifecycle, state, "Standards Track");
    }

    Tale on(long day) {
        return at(Shipped.day(day));
    }

    Tale at(Instant instant) {
        return new Tale(lifecycle, history, circumstances, instant);
    }

    Tale given(Circumstances other) {
        return new Tale(lifecycle, history, other, now);
    }

    Tale does(Command command) {
        return switch (decide(command)) {
            case Decision.Accepted<Event> accepted ->
                new Tale(lifecycle, history.plus(accepted.events()), circumstances, now);
            case Decision.Refused<Event> refused -> throw new AssertionError(command + ": " + refused.refusal());
        };
    }

    Tale moves(Actor by, String to, Evidence... evidence) {
        return does(new Command.MoveTo(by, to, List.of(evidence)));
    }

    Tale says(Actor by) {
        return does(new Command.Comment(by, "Hm."));
    }

    Refusal refused(Command command) {
        return switch (decide(command)) {
            case Decision.Accepted<Event> accepted -> throw new AssertionError(command + ": " + accepted);
            case Decision.Refused<Event> refused -> refused.refusal();
        };
    }

    Refusal refusesMove(Actor by, String to, Evidence... evidence) {
        return refused(new Command.MoveTo(by, to, List.of(evidence)));
    }

    Decision<Event> decide(Command command) {
        return lifecycle.decide(history, command, circumstances, now);
    }

    Guidance guidance(Actor reader) {
        return lifecycle.guidance(history, reader, circumstances, now);
    }

    List<Due> due() {
        return lifecycle.due(history, circumstances, now);
    }

    Tale sweep() {
        Tale tale = this;
        for (Due due : due()) {
            tale = tale.does(new Command.Carry(due));
        }
        return tale;
    }

    Standing standing() {
        return history.standing().orElseThrow();
    }

    String state() {
        return standing().state();
    }
}
