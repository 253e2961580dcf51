package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Records the reminders and escalations that have been made for a specification proposal so far.
 *
 * @param pings all reminders, earliest first
 * @param escalations the escalations in the current state
 */
public record ReminderHistory(List<LifecycleEvent.Pinged> pings, List<LifecycleEvent.Escalated> escalations) {
    static final ReminderHistory NONE = new ReminderHistory(List.of(), List.of());

    public ReminderHistory {
        pings = List.copyOf(pings);
        escalations = List.copyOf(escalations);
    }

    /** When a person or group last received a reminder, from any clock. */
    public Optional<Instant> lastSentTo(PersonOrGroup personOrGroup) {
        return pings.reversed().stream()
                .filter(ping -> ping.recipients().contains(personOrGroup))
                .map(LifecycleEvent.Pinged::at)
                .findFirst();
    }

    /** The last reminder that a step of a clock, or a later step, sent at or after an instant. */
    public Optional<LifecycleEvent.Pinged> lastSent(String clock, Duration after, Instant start) {
        return sent(clock, after, start).findFirst();
    }

    /** The last of these reminders to one of the recipients. */
    public Optional<LifecycleEvent.Pinged> lastSent(
            String clock, Duration after, Instant start, Collection<? extends PersonOrGroup> recipients) {
        return sent(clock, after, start)
                .filter(ping -> ping.recipients().stream().anyMatch(recipients::contains))
                .findFirst();
    }

    /** The recipients of all reminders that a step of a clock sent at or after an instant. */
    public Stream<PersonOrGroup> recipientsOf(String clock, Duration after, Instant start) {
        return sent(clock, after, start)
                .filter(ping -> ping.after().equals(after))
                .flatMap(ping -> ping.recipients().stream());
    }

    private Stream<LifecycleEvent.Pinged> sent(String clock, Duration after, Instant start) {
        return pings.reversed().stream()
                .filter(ping -> ping.clock().equals(clock)
                        && ping.after().compareTo(after) >= 0
                        && !ping.at().isBefore(start));
    }

    /** How many reminders a person has received since an instant. */
    public long countSentTo(Person person, Instant since) {
        return pings.stream()
                .filter(ping -> ping.at().isAfter(since) && ping.recipients().contains(person))
                .count();
    }

    ReminderHistory apply(LifecycleEvent event) {
        return switch (event) {
            case LifecycleEvent.Moved _ -> new ReminderHistory(pings, List.of());
            case LifecycleEvent.Pinged e -> new ReminderHistory(append(pings, e), escalations);
            case LifecycleEvent.Escalated e -> new ReminderHistory(pings, append(escalations, e));
            default -> this;
        };
    }

    private static <T> List<T> append(List<T> list, T last) {
        List<T> all = new ArrayList<>(list);
        all.add(last);
        return all;
    }
}
