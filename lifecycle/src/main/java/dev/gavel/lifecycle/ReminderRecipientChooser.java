package dev.gavel.lifecycle;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32;

/**
 * Chooses the few people of a group whom a clock reminds about a specification proposal: first those who have received
 * the fewest unanswered reminders about it, then those with the smallest load. The choice is deterministic.
 *
 * @param preferred people to choose before all others
 * @param load the load of a person: the larger it is, the later the person is chosen
 */
record ReminderRecipientChooser(
        LifecycleContext context, Set<PersonOrGroup> preferred, ToIntFunction<? super Person> load) {
    /** The members of a group without the proposers, who cannot do what the group is asked for. */
    List<Person> candidates(List<Person> members) {
        List<Person> others = members.stream()
                .filter(person -> !context.snapshot().proposers().contains(person))
                .toList();
        return others.isEmpty() ? members : others;
    }

    List<Person> choose(List<Person> candidates, int count) {
        return candidates.stream()
                .sorted(Comparator.comparing((Person person) -> !preferred.contains(person))
                        .thenComparingLong(this::unansweredReminders)
                        .thenComparingInt(load)
                        .thenComparingLong(this::tieBreaker)
                        .thenComparing(Person::login))
                .limit(count)
                .toList();
    }

    /** The reminders about this proposal that a person has received since the person's last activity. */
    private long unansweredReminders(Person person) {
        return context.snapshot()
                .reminderHistory()
                .countSentTo(
                        person,
                        context.snapshot()
                                .lastActivityByPerson()
                                .lastActivityOf(person)
                                .orElse(Instant.MIN));
    }

    /** Orders people with the same load differently for each proposal. */
    private long tieBreaker(Person person) {
        CRC32 crc = new CRC32();
        crc.update((context.snapshot().submittedAt() + " " + context.snapshot().proposers() + " " + person.login())
                .getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }
}
