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
                by + " edited the SEP"
                        + (e.attributes().isEmpty()
                                ? "."
                                : ": "
                                        + e.attributes().entrySet().stream()
                                                .sorted(java.util.Map.Entry.comparingByKey())
                                                .map(entry -> entry.getKey() + " is now '" + entry.getValue() + "'")
                                                .collect(Collectors.joining(", "))
                                        + ".");
            case LifecycleEvent.Moved e ->
                (e.by().isSystem() ? "Moved automatically" : by + " moved the SEP") + " from " + e.from() + " to "
                        + e.to() + given(e.evidence());
            case LifecycleEvent.EvidenceAttached e -> by + " attached" + listed(e.evidence()) + ".";
            case LifecycleEvent.RoleTaken e -> e.person().login() + " became " + e.role() + ".";
            case LifecycleEvent.RoleLeft e -> e.person().login() + " is no longer " + e.role() + ".";
            case LifecycleEvent.RoleTransferred e ->
                by + " transferred the role " + e.role() + " to " + e.to().login()
                        + (e.keepsRole() ? " and keeps it as well." : ".");
            case LifecycleEvent.Commented e -> by + " commented: " + e.text();
            case LifecycleEvent.QuestionAsked e ->
                by + " asked " + e.addressee().login()
                        + (e.question().isBlank() ? " to look at the SEP." : ": " + e.question());
            case LifecycleEvent.Voted e ->
                by + " voted " + SepEventCodec.ballotName(e.ballotChoice())
                        + (e.reason().isBlank() ? "." : ": " + e.reason());
            case LifecycleEvent.DecisionHeld e -> by + " put the decision on hold: " + e.reason();
            case LifecycleEvent.DecisionReleased e ->
                by + " resumed the decision" + (e.reason().isBlank() ? "." : ": " + e.reason());
            case LifecycleEvent.Pinged e ->
                e.recipients().stream().map(SepJsonWriter::displayName).collect(Collectors.joining(", "))
                        + (e.recipients().size() == 1 ? " was" : " were") + " reminded: " + e.text();
            case LifecycleEvent.Escalated e -> "Escalated to the role " + e.role() + ": " + e.text();
        };
    }

    private static String submitted(LifecycleEvent.Submitted event) {
        Person by = event.by().person();
        List<Person> others =
                event.people().stream().filter(person -> !person.equals(by)).toList();
        String names = others.stream().map(Person::login).collect(Collectors.joining(", "));
        if (!event.people().contains(by)) {
            return by.login() + " imported the SEP by " + names + " as " + event.state() + ".";
        }
        return by.login() + " submitted the SEP" + (others.isEmpty() ? "" : " together with " + names) + " as "
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
