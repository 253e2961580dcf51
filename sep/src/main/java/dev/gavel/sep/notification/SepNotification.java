package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.sep.Sep;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A notification about a SEP: recipients, kind, text and link. Immutable.
 *
 * @param number the proposal's
 * @param title the proposal's
 * @param recipients whom it concerns: people, or everybody of a role
 * @param text what happened and the exact next step
 * @param link where the proposal can be read, if that is known
 */
public record SepNotification(
        int number,
        String title,
        List<PersonOrGroup> recipients,
        Kind kind,
        String text,
        Optional<URI> link,
        Instant at) {
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
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public SepNotification {
        recipients = List.copyOf(recipients);
    }

    /**
     * What is to be told of an event; nothing where it concerns nobody in particular.
     *
     * @param sep the proposal as it stands now, after the event
     * @param externalFacts what is so around it, for the next step
     * @param link where it can be read
     */
    public static Optional<SepNotification> of(
            LifecycleEvent event,
            Sep sep,
            LifecycleEngine lifecycleEngine,
            ExternalFacts externalFacts,
            Optional<URI> link) {
        return switch (event) {
            case LifecycleEvent.Pinged e -> create(e, sep, e.recipients(), Kind.PING, e.text(), link);
            case LifecycleEvent.Escalated e ->
                create(
                        e,
                        sep,
                        List.of(new RoleGroup(e.role())),
                        Kind.ESCALATION,
                        "Nobody acted for " + e.after().toDays() + " days. " + e.text(),
                        link);
            case LifecycleEvent.Moved e
            when e.by().isSystem() ->
                create(
                        e,
                        sep,
                        List.copyOf(sep.snapshot().proposers()),
                        Kind.MOVE,
                        "It went from " + e.from() + " to " + e.to() + " by itself. "
                                + step(sep, sep.snapshot().proposers().getFirst(), lifecycleEngine, externalFacts),
                        link);
            case LifecycleEvent.QuestionAsked e ->
                create(e, sep, List.of(e.addressee()), Kind.QUESTION, question(e), link);
            default -> Optional.empty();
        };
    }

    /** "SEP-12: Streams". */
    public String heading() {
        return "SEP-" + number + (title.isBlank() ? "" : ": " + title);
    }

    /** Whom it concerns, in words: "ada, core-maintainer". */
    public String recipientNames() {
        return String.join(", ", recipients.stream().map(Object::toString).toList());
    }

    private static Optional<SepNotification> create(
            LifecycleEvent event, Sep sep, List<PersonOrGroup> whom, Kind kind, String text, Optional<URI> link) {
        return Optional.of(new SepNotification(sep.number(), sep.title(), whom, kind, text, link, event.at()));
    }

    private static String question(LifecycleEvent.QuestionAsked asked) {
        String who = asked.by().person().login();
        return asked.question().isBlank()
                ? who + " asks you to have a look and to answer with a comment."
                : who + " asks you: " + asked.question() + " Answer with a comment.";
    }

    private static String step(Sep sep, Person reader, LifecycleEngine lifecycleEngine, ExternalFacts externalFacts) {
        List<String> roles = externalFacts.members().entrySet().stream()
                .filter(members -> members.getValue().contains(reader))
                .map(Map.Entry::getKey)
                .toList();
        return lifecycleEngine
                .guidance(
                        sep.history(),
                        new Actor(reader, roles),
                        externalFacts,
                        sep.history().events().getLast().at())
                .nextStep();
    }
}
