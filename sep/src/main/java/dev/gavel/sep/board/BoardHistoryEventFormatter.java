package dev.gavel.sep.board;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats an event of a SEP's history as a sentence and quotations for a board page. */
record BoardHistoryEventFormatter(BoardInput input) {
    /**
     * An event as text.
     *
     * @param sentence what happened; untrusted text, not markup
     * @param quotes the texts that the actor wrote, one per entry: reasons, comments, evidence
     */
    record FormattedEvent(String sentence, List<String> quotes) {}

    FormattedEvent format(LifecycleEvent event) {
        String by = event.by().isSystem() ? "Gavel" : input.name(event.by().person());
        return switch (event) {
            case LifecycleEvent.Submitted e ->
                withoutQuotes(by + " submitted the " + input.terms().name() + " as " + e.state());
            case LifecycleEvent.Edited e ->
                withoutQuotes(by + " edited the document" + (e.editorial() ? " without changing its meaning" : ""));
            case LifecycleEvent.Moved e ->
                new FormattedEvent(
                        by + " moved the " + input.terms().name() + " from " + e.from() + " to " + e.to(),
                        quoted(e.evidence()));
            case LifecycleEvent.EvidenceAttached e ->
                new FormattedEvent(by + " attached evidence", quoted(e.evidence()));
            case LifecycleEvent.EvidenceConfirmed e ->
                new FormattedEvent(
                        by + " confirmed evidence given by " + input.name(e.givenBy()),
                        quoted(List.of(new Evidence(e.kind(), e.value()))));
            case LifecycleEvent.RoleTaken e -> withoutQuotes(input.name(e.person()) + " became " + title(e.role()));
            case LifecycleEvent.RoleLeft e ->
                withoutQuotes(input.name(e.person()) + " is no longer " + title(e.role()));
            case LifecycleEvent.RoleLapsed e ->
                withoutQuotes(input.name(e.person()) + " can no longer act as " + title(e.role()));
            case LifecycleEvent.RoleTransferred e ->
                withoutQuotes(input.name(e.from()) + " transferred the role " + words(e.role()) + " to "
                        + input.name(e.to()) + (e.keepsRole() ? " and keeps it as well" : ""));
            case LifecycleEvent.Commented e -> new FormattedEvent(by + " commented", List.of(e.text()));
            case LifecycleEvent.QuestionAsked e ->
                new FormattedEvent(by + " asked " + input.name(e.addressee()), quoteIfPresent(e.question()));
            case LifecycleEvent.Voted e
            when e.ballotChoice() == BallotChoice.RECUSE ->
                new FormattedEvent(by + " takes no part in the vote", quoteIfPresent(e.reason()));
            case LifecycleEvent.Voted e ->
                new FormattedEvent(
                        by + " voted " + e.ballotChoice().name().toLowerCase(Locale.ROOT), quoteIfPresent(e.reason()));
            case LifecycleEvent.DecisionHeld e ->
                new FormattedEvent(by + " put the decision on hold", quoteIfPresent(e.reason()));
            case LifecycleEvent.DecisionReleased e ->
                new FormattedEvent(by + " resumed the decision", quoteIfPresent(e.reason()));
            case LifecycleEvent.Pinged e ->
                new FormattedEvent("Gavel reminded " + names(e.recipients()), quoteIfPresent(e.text()));
            case LifecycleEvent.Escalated e ->
                new FormattedEvent("Gavel escalated to every " + words(e.role()), quoteIfPresent(e.text()));
        };
    }

    private String title(String role) {
        return input.processDefinition().title(role);
    }

    private static FormattedEvent withoutQuotes(String sentenceText) {
        return new FormattedEvent(sentenceText, List.of());
    }

    private static List<String> quoteIfPresent(String text) {
        return text.isBlank() ? List.of() : List.of(text);
    }

    private String names(List<PersonOrGroup> recipients) {
        return String.join(
                ", ",
                recipients.stream()
                        .map(recipient -> recipient instanceof RoleGroup group
                                ? "every " + words(group.role())
                                : input.name(recipient))
                        .toList());
    }

    /** Returns a role's name as words. */
    private static String words(String role) {
        return role.replace('-', ' ');
    }

    private List<String> quoted(List<Evidence> evidence) {
        List<String> quotes = new ArrayList<>();
        for (Evidence piece : evidence) {
            quotes.add(input.processDefinition().describeEvidence(piece.kind()) + ": " + piece.value());
        }
        return quotes;
    }
}
