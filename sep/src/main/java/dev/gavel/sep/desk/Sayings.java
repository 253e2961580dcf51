package dev.gavel.sep.desk;

import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.sep.kept.EventCodec;
import java.util.List;
import java.util.stream.Collectors;

/** Tells what happened in a sentence. Stateless. */
final class Sayings {
    private Sayings() {}

    /** What happened, without its date. */
    static String of(Event event) {
        String by = event.by().person().login();
        return switch (event) {
            case Event.Submitted e -> submitted(e);
            case Event.Edited e ->
                by + " changed it"
                        + (e.attributes().isEmpty()
                                ? "."
                                : ": "
                                        + e.attributes().entrySet().stream()
                                                .sorted(java.util.Map.Entry.comparingByKey())
                                                .map(entry -> entry.getKey() + " is now '" + entry.getValue() + "'")
                                                .collect(Collectors.joining(", "))
                                        + ".");
            case Event.Moved e ->
                (e.by().isSystem() ? "It went" : by + " moved it") + " from " + e.from() + " to " + e.to()
                        + given(e.evidence());
            case Event.Attached e -> by + " attached" + listed(e.evidence()) + ".";
            case Event.RoleTaken e -> e.person().login() + " is " + e.role() + " now.";
            case Event.RoleLeft e -> e.person().login() + " is " + e.role() + " no longer.";
            case Event.Transferred e ->
                by + " handed on being " + e.role() + " to " + e.to().login()
                        + (e.stays() ? ", and stays beside them." : ".");
            case Event.Commented e -> by + " said: " + e.text();
            case Event.Asked e ->
                by + " asked " + e.whom().login() + (e.question().isBlank() ? " to look at it." : ": " + e.question());
            case Event.Voted e ->
                by + " voted " + EventCodec.word(e.ballot()) + (e.reason().isBlank() ? "." : ": " + e.reason());
            case Event.Held e -> by + " put the decision on hold: " + e.reason();
            case Event.Released e ->
                by + " took the decision up again" + (e.reason().isBlank() ? "." : ": " + e.reason());
            case Event.Pinged e ->
                e.whom().stream().map(Views::name).collect(Collectors.joining(", "))
                        + (e.whom().size() == 1 ? " was" : " were") + " reminded: " + e.text();
            case Event.Escalated e -> "It was escalated to every " + e.role() + ": " + e.text();
        };
    }

    private static String submitted(Event.Submitted event) {
        Person by = event.by().person();
        List<Person> others =
                event.people().stream().filter(person -> !person.equals(by)).toList();
        String names = others.stream().map(Person::login).collect(Collectors.joining(", "));
        if (!event.people().contains(by)) {
            return by.login() + " brought it in, by " + names + ", as " + event.state() + ".";
        }
        return by.login() + " submitted it" + (others.isEmpty() ? "" : ", together with " + names) + ", as "
                + event.state() + ".";
    }

    private static String given(List<Evidence> evidence) {
        return evidence.isEmpty() ? "." : ", with" + listed(evidence) + ".";
    }

    private static String listed(List<Evidence> evidence) {
        return evidence.stream()
                .map(piece -> " " + piece.kind() + " '" + piece.value() + "'")
                .collect(Collectors.joining(","));
    }
}
