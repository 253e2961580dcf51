package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.people.Party;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What clocks have done so far.
 *
 * @param pings every reminder, the earliest first
 * @param escalations those of the state the proposal is in
 */
public record Reminders(List<Event.Pinged> pings, List<Event.Escalated> escalations) {
    static final Reminders NONE = new Reminders(List.of(), List.of());

    public Reminders {
        pings = List.copyOf(pings);
        escalations = List.copyOf(escalations);
    }

    /** When a party was last reminded, by whatever clock. */
    public Optional<Instant> lastTo(Party party) {
        return pings.reversed().stream()
                .filter(ping -> ping.whom().contains(party))
                .map(Event.Pinged::at)
                .findFirst();
    }

    /** Whether a clock's step, or a later one, has reminded a party at or after an instant. */
    public boolean done(String clock, Duration after, Party party, Instant start) {
        return pings.stream()
                .anyMatch(ping -> ping.clock().equals(clock)
                        && ping.after().compareTo(after) >= 0
                        && !ping.at().isBefore(start)
                        && ping.whom().contains(party));
    }

    Reminders after(Event event) {
        return switch (event) {
            case Event.Moved _ -> new Reminders(pings, List.of());
            case Event.Pinged e -> new Reminders(appended(pings, e), escalations);
            case Event.Escalated e -> new Reminders(pings, appended(escalations, e));
            default -> this;
        };
    }

    private static <T> List<T> appended(List<T> list, T last) {
        List<T> all = new ArrayList<>(list);
        all.add(last);
        return all;
    }
}
