package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.people.Person;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who last did anything when. What the process itself does is nobody's activity.
 *
 * @param people when each person last did anything
 * @param answers when a bearer of each role, who was none of the proposers, last did anything
 * @param asked the questions to people who have done nothing since
 */
public record Activity(Map<Person, Instant> people, Map<String, Instant> answers, List<Event.Asked> asked) {
    static final Activity NONE = new Activity(Map.of(), Map.of(), List.of());

    public Activity {
        people = Map.copyOf(people);
        answers = Map.copyOf(answers);
        asked = List.copyOf(asked);
    }

    /** When a person last did anything. */
    public Optional<Instant> of(Person person) {
        return Optional.ofNullable(people.get(person));
    }

    /** When a bearer of a role, none of the proposers, last did anything. */
    public Optional<Instant> answered(String role) {
        return Optional.ofNullable(answers.get(role));
    }

    Activity after(Event event, List<Person> proposers) {
        if (event.by().isSystem()) {
            return this;
        }
        Person person = event.by().person();
        Map<Person, Instant> active = new HashMap<>(people);
        active.put(person, event.at());
        Map<String, Instant> answered = new HashMap<>(answers);
        if (!proposers.contains(person)) {
            event.by().roles().forEach(role -> answered.put(role, event.at()));
        }
        List<Event.Asked> open = new ArrayList<>(asked);
        open.removeIf(question -> question.whom().equals(person));
        if (event instanceof Event.Asked question && !question.whom().equals(person)) {
            open.removeIf(earlier -> earlier.whom().equals(question.whom()));
            open.add(question);
        }
        return new Activity(active, answered, open);
    }
}
