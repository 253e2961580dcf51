package dev.gavel.sep.board;

import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ProcessDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats an event of a SEP's history as a sentence and quotations for a board page. */
record BoardHistoryEventFormatter(ProcessDefinition processDefinition) {
    /**
     * An event as text.
     *
     * @param sentence what happened; untrusted text, not markup
     * @param quotes the texts that the actor wrote, one per entry: reasons, comments, evidence
     */
    record FormattedEvent(String sentence, List<String> quotes) {}

    FormattedEvent format(LifecycleEvent event) {
        String by = event.by().isSystem() ? "the process" : event.by().person().login();
        return switch (event) {
            case LifecycleEvent.Submitted e -> withoutQuotes(by + " submitted it as " + e.state());
            case LifecycleEvent.Edited _ -> withoutQuotes(by + " edited the document");
            case LifecycleEvent.Moved e ->
                new FormattedEvent(by + " moved it from " + e.from() + " to " + e.to(), quoted(e.evidence()));
            case LifecycleEvent.EvidenceAttached e ->
                new FormattedEvent(by + " attached evidence", quoted(e.evidence()));
            case LifecycleEvent.RoleTaken e ->
                withoutQuotes(e.person().login() + " became " + processDefinition.title(e.role()));
            case LifecycleEvent.RoleLeft e ->
                withoutQuotes(e.person().login() + " is no longer " + processDefinition.title(e.role()));
            case LifecycleEvent.RoleTransferred e ->
                withoutQuotes(e.from().login() + " handed on being " + processDefinition.title(e.role()) + " to "
                        + e.to().login() + (e.keepsRole() ? ", and stays beside them" : ""));
            case LifecycleEvent.Commented e -> new FormattedEvent(by + " commented", List.of(e.text()));
            case LifecycleEvent.QuestionAsked e ->
                new FormattedEvent(by + " asked " + e.addressee().login(), quoteIfPresent(e.question()));
            case LifecycleEvent.Voted e ->
                new FormattedEvent(
                        by + " voted " + e.ballotChoice().name().toLowerCase(Locale.ROOT), quoteIfPresent(e.reason()));
            case LifecycleEvent.DecisionHeld e ->
                new FormattedEvent(by + " put the decision on hold", quoteIfPresent(e.reason()));
            case LifecycleEvent.DecisionReleased e ->
                new FormattedEvent(by + " took the decision up again", quoteIfPresent(e.reason()));
            case LifecycleEvent.Pinged e ->
                new FormattedEvent("reminded " + names(e.recipients()), quoteIfPresent(e.text()));
            case LifecycleEvent.Escalated e ->
                new FormattedEvent("escalated to " + processDefinition.title(e.role()), quoteIfPresent(e.text()));
        };
    }

    private static FormattedEvent withoutQuotes(String sentenceText) {
        return new FormattedEvent(sentenceText, List.of());
    }

    private static List<String> quoteIfPresent(String text) {
        return text.isBlank() ? List.of() : List.of(text);
    }

    private static String names(List<PersonOrGroup> recipients) {
        return String.join(
                ", ", recipients.stream().map(BoardEntry::displayName).toList());
    }

    private static List<String> quoted(List<Evidence> evidence) {
        List<String> quotes = new ArrayList<>();
        for (Evidence piece : evidence) {
            quotes.add(piece.kind() + ": " + piece.value());
        }
        return quotes;
    }
}
