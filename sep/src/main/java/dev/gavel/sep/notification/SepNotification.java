package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.sep.Sep;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A notification about a SEP, or a digest of several: recipients, kind, text and link. Immutable.
 *
 * @param number the number of the SEP; 0 for a digest
 * @param label how the number is written, such as {@code SEP-12}; empty for a digest
 * @param title the title of the SEP or the digest
 * @param recipients persons, or all holders of a role
 * @param text what happened and the exact next step
 * @param link the address of the SEP, if it is known
 * @param people the recipients, with the known holders of a role instead of the role
 */
public record SepNotification(
        int number,
        String label,
        String title,
        List<PersonOrGroup> recipients,
        Kind kind,
        String text,
        Optional<URI> link,
        Instant at,
        List<Person> people) {
    /** The reason of a notification. */
    public enum Kind {
        /** A clock rule reminds the recipients to act. */
        PING,
        /** The recipients may act too, because those who must act did not. */
        ESCALATION,
        /** The process moved the SEP automatically. */
        MOVE,
        /** A person asked the recipients a question. */
        QUESTION,
        /** A person decided or changed something about a SEP of the recipients, or its sponsor left. */
        OUTCOME,
        /** An edit of the document voided votes. */
        VOTES_VOIDED,
        /** The list of the SEPs that wait for the recipients. */
        DIGEST;

        /** Returns the name used in JSON. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public SepNotification {
        recipients = List.copyOf(recipients);
        people = List.copyOf(people);
    }

    /** Creates a notification whose roles have no known holders. */
    public SepNotification(
            int number,
            String label,
            String title,
            List<PersonOrGroup> recipients,
            Kind kind,
            String text,
            Optional<URI> link,
            Instant at) {
        this(number, label, title, recipients, kind, text, link, at, expand(recipients, _ -> List.of()));
    }

    /** Returns the notification with the people who hold each role among the recipients. */
    public SepNotification withHolders(Function<RoleGroup, List<Person>> holders) {
        return new SepNotification(number, label, title, recipients, kind, text, link, at, expand(recipients, holders));
    }

    private static List<Person> expand(List<PersonOrGroup> recipients, Function<RoleGroup, List<Person>> holders) {
        return recipients.stream()
                .flatMap(recipient -> switch (recipient) {
                    case Person person -> Stream.of(person);
                    case RoleGroup group -> holders.apply(group).stream();
                })
                .distinct()
                .toList();
    }

    /**
     * Returns the notification about an event; empty if the event concerns no particular recipients.
     *
     * @param sep the SEP after the event
     * @param externalFacts the facts about the SEP that are not in its history, which the next step depends on
     * @param link the address of the SEP
     */
    public static Optional<SepNotification> of(
            LifecycleEvent event,
            Sep sep,
            LifecycleEngine lifecycleEngine,
            ExternalFacts externalFacts,
            Optional<URI> link) {
        ProposalTerms terms = lifecycleEngine.processDefinition().terms();
        String label = terms.numberLabel(sep.number());
        return switch (event) {
            case LifecycleEvent.Pinged e -> create(e, sep, label, e.recipients(), Kind.PING, e.text(), link);
            case LifecycleEvent.Escalated e ->
                create(
                        e,
                        sep,
                        label,
                        List.of(new RoleGroup(e.role())),
                        Kind.ESCALATION,
                        "The people who must act have been inactive for "
                                + e.after().toDays() + " days. " + e.text(),
                        link);
            case LifecycleEvent.Moved e
            when e.by().isSystem() ->
                create(
                        e,
                        sep,
                        label,
                        List.copyOf(new OutcomeFinder(lifecycleEngine.processDefinition(), externalFacts)
                                .holdersBefore(e, sep)),
                        Kind.MOVE,
                        "The " + terms.name() + " moved automatically from " + e.from() + " to " + e.to() + ". "
                                + step(sep, sep.snapshot().proposers().getFirst(), lifecycleEngine, externalFacts),
                        link);
            case LifecycleEvent.QuestionAsked e ->
                create(e, sep, label, List.of(e.addressee()), Kind.QUESTION, question(e, externalFacts, terms), link);
            default ->
                new OutcomeFinder(lifecycleEngine.processDefinition(), externalFacts)
                        .find(event, sep)
                        .flatMap(outcome -> create(
                                event,
                                sep,
                                label,
                                List.copyOf(outcome.recipients()),
                                outcome.votesVoided() ? Kind.VOTES_VOIDED : Kind.OUTCOME,
                                outcome.text(),
                                link));
        };
    }

    /** Returns a digest: the list of the SEPs that wait for a role. */
    public static SepNotification digest(
            RoleGroup recipient, String title, String text, Optional<URI> link, Instant at) {
        return new SepNotification(0, "", title, List.of(recipient), Kind.DIGEST, text, link, at);
    }

    /** Returns the number and title, such as "SEP-12: Streams". */
    public String heading() {
        return kind == Kind.DIGEST ? title : label + (title.isBlank() ? "" : ": " + title);
    }

    /** Returns the recipients as text, such as "ada, core-maintainer". */
    public String recipientNames() {
        return String.join(", ", recipients.stream().map(Object::toString).toList());
    }

    private static Optional<SepNotification> create(
            LifecycleEvent event,
            Sep sep,
            String label,
            List<PersonOrGroup> addressees,
            Kind kind,
            String text,
            Optional<URI> link) {
        return Optional.of(
                new SepNotification(sep.number(), label, sep.title(), addressees, kind, text, link, event.at()));
    }

    private static String question(
            LifecycleEvent.QuestionAsked asked, ExternalFacts externalFacts, ProposalTerms terms) {
        String who = externalFacts.nameOf(asked.by().person());
        return asked.question().isBlank()
                ? who + " asks you to look at this " + terms.name() + ". Answer with a comment."
                : who + " asks you: " + asked.question() + " Answer with a comment.";
    }

    private static String step(Sep sep, Person reader, LifecycleEngine lifecycleEngine, ExternalFacts externalFacts) {
        List<String> roles = externalFacts.membersByRole().entrySet().stream()
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
