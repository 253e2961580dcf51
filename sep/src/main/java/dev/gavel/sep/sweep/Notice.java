package dev.gavel.sep.sweep;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.sep.Sep;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Something people are told about a proposal. Immutable.
 *
 * @param number the proposal's
 * @param title the proposal's
 * @param whom whom it concerns: people, or everybody of a role
 * @param text what happened and the exact next step
 * @param link where the proposal can be read, if that is known
 */
public record Notice(
        int number, String title, List<Party> whom, Kind kind, String text, Optional<URI> link, Instant at) {
    /** Why somebody is told something. */
    public enum Kind {
        /** A clock reminds them. */
        PING,
        /** It is theirs too, since others were silent. */
        ESCALATION,
        /** The process moved it by itself. */
        MOVE,
        /** Somebody asks them. */
        QUESTION;

        /** As programs read it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Notice {
        whom = List.copyOf(whom);
    }

    /**
     * What is to be told of an event; nothing where it concerns nobody in particular.
     *
     * @param sep the proposal as it stands now, after the event
     * @param circumstances what is so around it, for the next step
     * @param link where it can be read
     */
    public static Optional<Notice> of(
            Event event, Sep sep, Lifecycle lifecycle, Circumstances circumstances, Optional<URI> link) {
        return switch (event) {
            case Event.Pinged e -> notice(e, sep, e.whom(), Kind.PING, e.text(), link);
            case Event.Escalated e ->
                notice(
                        e,
                        sep,
                        List.of(new Group(e.role())),
                        Kind.ESCALATION,
                        "Nobody acted for " + e.after().toDays() + " days. " + e.text(),
                        link);
            case Event.Moved e
            when e.by().isSystem() ->
                notice(
                        e,
                        sep,
                        List.copyOf(sep.standing().proposers()),
                        Kind.MOVE,
                        "It went from " + e.from() + " to " + e.to() + " by itself. "
                                + step(sep, sep.standing().proposers().getFirst(), lifecycle, circumstances),
                        link);
            case Event.Asked e -> notice(e, sep, List.of(e.whom()), Kind.QUESTION, question(e), link);
            default -> Optional.empty();
        };
    }

    /** "SEP-12: Streams". */
    public String heading() {
        return "SEP-" + number + (title.isBlank() ? "" : ": " + title);
    }

    /** Whom it concerns, in words: "ada, core-maintainer". */
    public String addressees() {
        return String.join(", ", whom.stream().map(Object::toString).toList());
    }

    private static Optional<Notice> notice(
            Event event, Sep sep, List<Party> whom, Kind kind, String text, Optional<URI> link) {
        return Optional.of(new Notice(sep.number(), sep.title(), whom, kind, text, link, event.at()));
    }

    private static String question(Event.Asked asked) {
        String who = asked.by().person().login();
        return asked.question().isBlank()
                ? who + " asks you to have a look and to answer with a comment."
                : who + " asks you: " + asked.question() + " Answer with a comment.";
    }

    private static String step(Sep sep, Person reader, Lifecycle lifecycle, Circumstances circumstances) {
        List<String> roles = circumstances.members().entrySet().stream()
                .filter(members -> members.getValue().contains(reader))
                .map(Map.Entry::getKey)
                .toList();
        return lifecycle
                .guidance(
                        sep.history(),
                        new Actor(reader, roles),
                        circumstances,
                        sep.history().events().getLast().at())
                .nextStep();
    }
}
