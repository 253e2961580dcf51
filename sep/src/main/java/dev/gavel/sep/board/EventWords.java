package dev.gavel.sep.board;

import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.process.Process;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says what happened, in a sentence and in what people wrote with it. */
record EventWords(Process process) {
    /**
     * An event in words.
     *
     * @param says what happened; somebody's words, not markup
     * @param quotes what was written, each by itself: reasons, texts, links
     */
    record Told(String says, List<String> quotes) {}

    Told tell(Event event) {
        String by = event.by().isSystem() ? "the process" : event.by().person().login();
        return switch (event) {
            case Event.Submitted e -> told(by + " submitted it as " + e.state());
            case Event.Edited _ -> told(by + " edited the document");
            case Event.Moved e -> new Told(by + " moved it from " + e.from() + " to " + e.to(), quoted(e.evidence()));
            case Event.Attached e -> new Told(by + " attached evidence", quoted(e.evidence()));
            case Event.RoleTaken e -> told(e.person().login() + " became " + process.title(e.role()));
            case Event.RoleLeft e -> told(e.person().login() + " is no longer " + process.title(e.role()));
            case Event.Transferred e ->
                told(e.from().login() + " handed on being " + process.title(e.role()) + " to " + e.to().login()
                        + (e.stays() ? ", and stays beside them" : ""));
            case Event.Commented e -> new Told(by + " commented", List.of(e.text()));
            case Event.Asked e -> new Told(by + " asked " + e.whom().login(), written(e.question()));
            case Event.Voted e ->
                new Told(by + " voted " + e.ballot().name().toLowerCase(Locale.ROOT), written(e.reason()));
            case Event.Held e -> new Told(by + " put the decision on hold", written(e.reason()));
            case Event.Released e -> new Told(by + " took the decision up again", written(e.reason()));
            case Event.Pinged e -> new Told("reminded " + names(e.whom()), written(e.text()));
            case Event.Escalated e -> new Told("escalated to " + process.title(e.role()), written(e.text()));
        };
    }

    private static Told told(String says) {
        return new Told(says, List.of());
    }

    private static List<String> written(String text) {
        return text.isBlank() ? List.of() : List.of(text);
    }

    private static String names(List<Party> whom) {
        return String.join(", ", whom.stream().map(Entry::called).toList());
    }

    private static List<String> quoted(List<Evidence> evidence) {
        List<String> quotes = new ArrayList<>();
        for (Evidence piece : evidence) {
            quotes.add(piece.kind() + ": " + piece.value());
        }
        return quotes;
    }
}
