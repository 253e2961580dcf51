package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records the reminders and escalations that clocks have produced for a specification proposal.
 *
 * @param pings every reminder, the earliest first
 * @param escalations those of the state the proposal is in
 */
public record ReminderHistory(List<LifecycleEvent.Pinged> pings, List<LifecycleEvent.Escalated> escalations) {
    static final ReminderHistory NONE = new ReminderHistory(List.of(), List.of());

    public ReminderHistory {
        pings = List.copyOf(pings);
        escalations = List.copyOf(escalations);
    }

    /** When a party was last reminded, by whatever clock. */
    public Optional<Instant> lastSentTo(PersonOrGroup personOrGroup) {
        return pings.reversed().stream()
                .filter(ping -> ping.recipients().contains(personOrGroup))
                .map(LifecycleEvent.Pinged::at)
                .findFirst();
    }

    /** Whether a clock's step, or a later one, has reminded a party at or after an instant. */
    public boolean wasSent(String clock, Duration after, PersonOrGroup personOrGroup, Instant start) {
        return pings.stream()
                .anyMatch(ping -> ping.clock().equals(clock)
                        && ping.after().compareTo(after) >= 0
                        && !ping.at().isBefore(start)
                        && ping.recipients().contains(personOrGroup));
    }

    ReminderHistory apply(LifecycleEvent event) {
        return switch (event) {
            case LifecycleEvent.Moved _ -> new ReminderHistory(pings, List.of());
            case LifecycleEvent.Pinged e -> new ReminderHistory(appended(pings, e), escalations);
            case LifecycleEvent.Escalated e -> new ReminderHistory(pings, appended(escalations, e));
            default -> this;
        };
    }

    private static <T> List<T> appended(List<T> list, T last) {
        List<T> all = new ArrayList<>(list);
        all.add(last);
        return all;
    }
}
