package dev.gavel.sep.service;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.sep.store.SepEventCodec;
import java.util.List;
import java.util.stream.Collectors;

/** Formats an event of a SEP's history as an English sentence for the results of the SEP service. Stateless. */
final class SepEventSentenceFormatter {
    private SepEventSentenceFormatter() {}

    /** Returns what happened, without the date. */
    static String format(LifecycleEvent event) {
        String by = event.by().person().login();
        return switch (event) {
            case LifecycleEvent.Submitted e -> submitted(e);
            case LifecycleEvent.Edited e ->
                by + " changed it"
                        + (e.attributes().isEmpty()
                                ? "."
                                : ": "
                                        + e.attributes().entrySet().stream()
                                                .sorted(java.util.Map.Entry.comparingByKey())
                                                .map(entry -> entry.getKey() + " is now '" + entry.getValue() + "'")
                                                .collect(Collectors.joining(", "))
                                        + ".");
            case LifecycleEvent.Moved e ->
                (e.by().isSystem() ? "It went" : by + " moved it") + " from " + e.from() + " to " + e.to()
                        + given(e.evidence());
            case LifecycleEvent.EvidenceAttached e -> by + " attached" + listed(e.evidence()) + ".";
            case LifecycleEvent.RoleTaken e -> e.person().login() + " is " + e.role() + " now.";
            case LifecycleEvent.RoleLeft e -> e.person().login() + " is " + e.role() + " no longer.";
            case LifecycleEvent.RoleTransferred e ->
                by + " handed on being " + e.role() + " to " + e.to().login()
                        + (e.keepsRole() ? ", and stays beside them." : ".");
            case LifecycleEvent.Commented e -> by + " said: " + e.text();
            case LifecycleEvent.QuestionAsked e ->
                by + " asked " + e.addressee().login()
                        + (e.question().isBlank() ? " to look at it." : ": " + e.question());
            case LifecycleEvent.Voted e ->
                by + " voted " + SepEventCodec.ballotName(e.ballotChoice())
                        + (e.reason().isBlank() ? "." : ": " + e.reason());
            case LifecycleEvent.DecisionHeld e -> by + " put the decision on hold: " + e.reason();
            case LifecycleEvent.DecisionReleased e ->
                by + " took the decision up again" + (e.reason().isBlank() ? "." : ": " + e.reason());
            case LifecycleEvent.Pinged e ->
                e.recipients().stream().map(SepJsonWriter::displayName).collect(Collectors.joining(", "))
                        + (e.recipients().size() == 1 ? " was" : " were") + " reminded: " + e.text();
            case LifecycleEvent.Escalated e -> "It was escalated to every " + e.role() + ": " + e.text();
        };
    }

    private static String submitted(LifecycleEvent.Submitted event) {
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
