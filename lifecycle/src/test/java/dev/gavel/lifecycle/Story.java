package dev.gavel.lifecycle;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.lifecycle.people.Actor;
import java.time.Instant;
import java.util.List;

/** A proposal's story, told day by day. Each step gives a new story. */
record Story(History history, Circumstances circumstances, Instant now) {
    Story() {
        this(History.empty(), Garden.KNOWN, Garden.day(0));
    }

    Story on(int day) {
        return new Story(history, circumstances, Garden.day(day));
    }

    Story given(Circumstances other) {
        return new Story(history, other, now);
    }

    Story does(Command command) {
        return new Story(history.plus(accepted(command).events()), circumstances, now);
    }

    Decision.Accepted<Event> accepted(Command command) {
        return switch (decide(command)) {
            case Decision.Accepted<Event> accepted -> accepted;
            case Decision.Refused<Event> refused -> throw new AssertionError(command + ": " + refused.refusal());
        };
    }

    Refusal refused(Command command) {
        return switch (decide(command)) {
            case Decision.Accepted<Event> accepted -> throw new AssertionError(command + ": " + accepted);
            case Decision.Refused<Event> refused -> refused.refusal();
        };
    }

    Decision<Event> decide(Command command) {
        return Garden.LIFECYCLE.decide(history, command, circumstances, now);
    }

    Guidance guidance(Actor reader) {
        return Garden.LIFECYCLE.guidance(history, reader, circumstances, now);
    }

    Prospect explain(Actor reader, String to) {
        return Garden.LIFECYCLE.explain(history, reader, to, circumstances, now);
    }

    List<Due> due() {
        return Garden.LIFECYCLE.due(history, circumstances, now);
    }

    /** Does all that is due. */
    Story sweep() {
        Story story = this;
        for (Due due : due()) {
            story = story.does(new Command.Carry(due));
        }
        return story;
    }

    Standing standing() {
        return history.standing().orElseThrow();
    }

    String state() {
        return standing().state();
    }
}
