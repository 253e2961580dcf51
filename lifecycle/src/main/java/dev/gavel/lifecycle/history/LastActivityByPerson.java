package dev.gavel.lifecycle.history;

import dev.gavel.lifecycle.actor.Person;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records when each person and each role was last active in a specification proposal, and which questions are
 * unanswered. Actions of the system do not count as activity.
 *
 * @param lastByPerson the last activity of each person
 * @param lastByRole the last activity of a person with each actor role who is not a proposer
 * @param openQuestions the questions to people who have not acted since
 */
public record LastActivityByPerson(
        Map<Person, Instant> lastByPerson,
        Map<String, Instant> lastByRole,
        List<LifecycleEvent.QuestionAsked> openQuestions) {
    static final LastActivityByPerson NONE = new LastActivityByPerson(Map.of(), Map.of(), List.of());

    public LastActivityByPerson {
        lastByPerson = Map.copyOf(lastByPerson);
        lastByRole = Map.copyOf(lastByRole);
        openQuestions = List.copyOf(openQuestions);
    }

    /** The last activity of a person. */
    public Optional<Instant> lastActivityOf(Person person) {
        return Optional.ofNullable(lastByPerson.get(person));
    }

    /** The last activity of a person with an actor role who is not a proposer. */
    public Optional<Instant> lastAnswerOf(String role) {
        return Optional.ofNullable(lastByRole.get(role));
    }

    LastActivityByPerson apply(LifecycleEvent event, List<Person> proposers) {
        if (event.by().isSystem()) {
            return this;
        }
        Person person = event.by().person();
        Map<Person, Instant> activityByPerson = new HashMap<>(lastByPerson);
        activityByPerson.put(person, event.at());
        Map<String, Instant> activityByRole = new HashMap<>(lastByRole);
        if (!proposers.contains(person)) {
            event.by().roles().forEach(role -> activityByRole.put(role, event.at()));
        }
        List<LifecycleEvent.QuestionAsked> unansweredQuestions = new ArrayList<>(openQuestions);
        unansweredQuestions.removeIf(question -> question.addressee().equals(person));
        if (event instanceof LifecycleEvent.QuestionAsked question
                && !question.addressee().equals(person)) {
            unansweredQuestions.removeIf(earlier -> earlier.addressee().equals(question.addressee()));
            unansweredQuestions.add(question);
        }
        return new LastActivityByPerson(activityByPerson, activityByRole, unansweredQuestions);
    }
}
