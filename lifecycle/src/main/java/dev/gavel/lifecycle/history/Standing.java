package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.people.Person;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a proposal stands: what its events come to.
 *
 * @param since when it entered its state
 * @param submitted when it began
 * @param proposerRole the role its proposers hold
 */
public record Standing(
        String state,
        Instant since,
        Instant submitted,
        String proposerRole,
        Map<String, String> attributes,
        Holders holders,
        Attachments evidence,
        Voting voting,
        Activity activity,
        Reminders reminders) {
    public Standing {
        attributes = Map.copyOf(attributes);
    }

    static Standing of(Event.Submitted first) {
        return new Standing(
                first.state(),
                first.at(),
                first.at(),
                first.role(),
                first.attributes(),
                Holders.NONE.after(first),
                Attachments.NONE,
                Voting.NONE,
                Activity.NONE.after(first, first.people()),
                Reminders.NONE);
    }

    /** How it stands after one event more. */
    public Standing after(Event event) {
        if (event instanceof Event.Submitted) {
            throw new IllegalArgumentException("a proposal begins once");
        }
        boolean moved = event instanceof Event.Moved;
        return new Standing(
                event instanceof Event.Moved move ? move.to() : state,
                moved ? event.at() : since,
                submitted,
                proposerRole,
                event instanceof Event.Edited edit ? merged(edit.attributes()) : attributes,
                holders.after(event),
                evidence.after(event),
                voting.after(event),
                activity.after(event, proposers()),
                reminders.after(event));
    }

    /** The people whose proposal it is, the first before all. */
    public List<Person> proposers() {
        return holders.people(proposerRole);
    }

    private Map<String, String> merged(Map<String, String> changed) {
        Map<String, String> all = new HashMap<>(attributes);
        all.putAll(changed);
        return all;
    }
}
