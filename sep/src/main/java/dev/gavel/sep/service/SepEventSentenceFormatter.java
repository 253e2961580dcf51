package dev.gavel.sep.service;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.store.SepEventCodec;
import java.util.List;
import java.util.stream.Collectors;

/** Formats an event of a SEP's history as an English sentence for the results of the SEP service. Immutable. */
record SepEventSentenceFormatter(PeopleResolver peopleResolver, ProcessDefinition processDefinition) {
    /** Returns what happened, without the date. */
    String format(LifecycleEvent event) {
        String by = name(event.by().person());
        return switch (event) {
            case LifecycleEvent.Submitted e -> submitted(e);
            case LifecycleEvent.Edited e ->
                by + " edited the " + proposal() + (e.editorial() ? " without changing its meaning" : "")
                        + (e.attributes().isEmpty()
                                ? "."
                                : ": "
                                        + e.attributes().entrySet().stream()
                                                .sorted(java.util.Map.Entry.comparingByKey())
                                                .map(entry -> entry.getKey() + " is now '" + entry.getValue() + "'")
                                                .collect(Collectors.joining(", "))
                                        + ".");
            case LifecycleEvent.Moved e ->
                (e.by().isSystem() ? "Moved automatically" : by + " moved the " + proposal()) + " from " + e.from()
                        + " to " + e.to() + given(e.evidence());
            case LifecycleEvent.EvidenceAttached e -> by + " attached " + listed(e.evidence());
            case LifecycleEvent.EvidenceConfirmed e ->
                by + " confirmed " + processDefinition.describeEvidence(e.kind()) + ", given by " + name(e.givenBy())
                        + ": " + e.value();
            case LifecycleEvent.RoleTaken e -> name(e.person()) + " became " + e.role() + ".";
            case LifecycleEvent.RoleLeft e -> name(e.person()) + " is no longer " + e.role() + ".";
            case LifecycleEvent.RoleLapsed e ->
                name(e.person()) + " can no longer act as " + e.role()
                        + ", because the required role or the last valid token is gone.";
            case LifecycleEvent.RoleTransferred e ->
                by + " transferred the role " + e.role() + " to " + name(e.to())
                        + (e.keepsRole() ? " and keeps it as well." : ".");
            case LifecycleEvent.Commented e -> by + " commented: " + e.text();
            case LifecycleEvent.QuestionAsked e ->
                by + " asked " + name(e.addressee())
                        + (e.question().isBlank() ? " to look at the " + proposal() + "." : ": " + e.question());
            case LifecycleEvent.Voted e
            when e.ballotChoice() == BallotChoice.RECUSE ->
                by + " takes no part in the vote" + (e.reason().isBlank() ? "." : ": " + e.reason());
            case LifecycleEvent.Voted e ->
                by + " voted " + SepEventCodec.ballotName(e.ballotChoice())
                        + (e.reason().isBlank() ? "." : ": " + e.reason());
            case LifecycleEvent.DecisionHeld e -> by + " put the decision on hold: " + e.reason();
            case LifecycleEvent.DecisionReleased e ->
                by + " resumed the decision" + (e.reason().isBlank() ? "." : ": " + e.reason());
            case LifecycleEvent.Pinged e ->
                e.recipients().stream().map(this::name).collect(Collectors.joining(", "))
                        + (e.recipients().size() == 1 ? " was" : " were") + " reminded: " + e.text();
            case LifecycleEvent.Escalated e -> "Escalated to the role " + e.role() + ": " + e.text();
        };
    }

    private String proposal() {
        return processDefinition.terms().name();
    }

    private String submitted(LifecycleEvent.Submitted event) {
        Person by = event.by().person();
        List<Person> others =
                event.people().stream().filter(person -> !person.equals(by)).toList();
        String names = others.stream().map(this::name).collect(Collectors.joining(", "));
        if (!event.people().contains(by)) {
            return name(by) + " imported the " + proposal() + " by " + names + " as " + event.state() + ".";
        }
        return name(by) + " submitted the " + proposal() + (others.isEmpty() ? "" : " together with " + names) + " as "
                + event.state() + ".";
    }

    private String name(PersonOrGroup personOrGroup) {
        return switch (personOrGroup) {
            case Person person -> peopleResolver.name(person);
            case RoleGroup group -> group.role();
        };
    }

    private String given(List<Evidence> evidence) {
        return evidence.isEmpty() ? "." : ", with " + listed(evidence);
    }

    /** Returns each piece of evidence with its description. The text ends with the value, as a quotation does. */
    private String listed(List<Evidence> evidence) {
        return evidence.stream()
                .map(piece -> processDefinition.describeEvidence(piece.kind()) + ": " + piece.value())
                .collect(Collectors.joining("; "));
    }
}
