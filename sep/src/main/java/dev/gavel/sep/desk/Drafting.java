package dev.gavel.sep.desk;

import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Attribute;
import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Author;
import dev.gavel.sep.document.Outline;
import dev.gavel.sep.kept.Line;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What a document comes to under a process: whose it is, what it is called, which state its words mean. */
record Drafting(Process process, Roster roster) {
    private static final int MOST_AUTHORS = 100;
    private static final int LONGEST_TITLE = 300;
    private static final String DISCUSSION = "discussion";

    /** What a document says a proposal is, as far as its process wants to know. */
    Map<String, String> attributes(Outline outline) {
        Map<String, String> all = new LinkedHashMap<>();
        if (process.attributes().containsKey("title")) {
            all.put("title", shortened(outline.title()));
        }
        Attribute type = process.attributes().get("type");
        if (type != null) {
            outline.type().or(type::otherwise).ifPresent(said -> all.put("type", said));
        }
        return all;
    }

    private static String shortened(String title) {
        return title.length() <= LONGEST_TITLE ? title : title.substring(0, LONGEST_TITLE - 1) + "…";
    }

    /** The same as the process spells it; what cannot be so is as it usually is. */
    Map<String, String> fitting(Outline outline) {
        Map<String, String> all = new LinkedHashMap<>();
        attributes(outline)
                .forEach((name, value) -> Optional.ofNullable(
                                process.attributes().get(name))
                        .flatMap(attribute -> attribute.spelling(value).or(attribute::otherwise))
                        .ifPresent(spelled -> all.put(name, spelled)));
        return all;
    }

    /** What is said of a type that is none. */
    List<String> typeAdvice(Outline outline) {
        Attribute type = process.attributes().get("type");
        return type == null
                        || outline.type().isEmpty()
                        || type.spelling(outline.type().get()).isPresent()
                ? List.of()
                : List.of("There is no type '" + outline.type().get() + "', only "
                        + String.join(", ", type.values()) + "; it is taken for "
                        + type.otherwise().orElse("none") + ".");
    }

    /** Which of these attributes are not so yet. */
    static Map<String, String> changed(Sep sep, Map<String, String> attributes) {
        Map<String, String> all = new LinkedHashMap<>(attributes);
        all.entrySet()
                .removeIf(entry ->
                        entry.getValue().equals(sep.standing().attributes().get(entry.getKey())));
        return all;
    }

    private List<Person> authors(Outline outline) {
        LinkedHashSet<Person> people = new LinkedHashSet<>();
        for (Author author : outline.authors()) {
            if (!author.known().isBlank() && people.size() < MOST_AUTHORS) {
                people.add(roster.person(author));
            }
        }
        return List.copyOf(people);
    }

    Command.Submit submission(Actor by, Outline outline) {
        return new Command.Submit(by, authors(outline), fitting(outline), evidence(outline));
    }

    private List<Evidence> evidence(Outline outline) {
        EvidenceKind kind = process.evidence().get(DISCUSSION);
        return kind == null
                ? List.of()
                : outline.discussion().filter(Drafting::isLink).stream()
                        .map(link -> new Evidence(DISCUSSION, link))
                        .toList();
    }

    private static boolean isLink(String text) {
        try {
            URI uri = new URI(text);
            return uri.getHost() != null && List.of("http", "https").contains(uri.getScheme());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /**
     * The authors a new document names besides, where it is one of the authors who names them. Whom the document before it
     * named as well is an author already, or was one and left.
     */
    List<Event> joining(Sep sep, Outline outline, Actor by, Instant now) {
        String role = sep.standing().proposerRole();
        if (!sep.standing().holders().holds(by.person(), role)) {
            return List.of();
        }
        List<Person> before = authors(sep.outline());
        return authors(outline).stream()
                .filter(person -> !before.contains(person))
                .filter(person -> !sep.standing().holders().holds(person, role))
                .<Event>map(person -> new Event.RoleTaken(now, by, role, person))
                .toList();
    }

    /** The events by which a document comes in as it says it is. The clocks of its state begin now. */
    List<Event> arrival(Actor by, Outline outline, Instant now) {
        List<Person> people = authors(outline);
        List<Event> events = new ArrayList<>();
        events.add(new Event.Submitted(
                now,
                by,
                state(outline).orElse(process.start().to()),
                process.proposer().name(),
                people.isEmpty() ? List.of(by.person()) : people,
                fitting(outline)));
        Line.sponsorRole(process)
                .ifPresent(role -> sponsor(outline)
                        .ifPresent(person -> events.add(new Event.RoleTaken(now, by, role.name(), person))));
        List<Evidence> given = evidence(outline);
        if (!given.isEmpty()) {
            events.add(new Event.Attached(now, by, given));
        }
        return events;
    }

    private Optional<Person> sponsorNamed(Outline outline) {
        return outline.sponsor().filter(author -> !author.known().isBlank()).map(roster::person);
    }

    private Optional<Person> sponsor(Outline outline) {
        return sponsorNamed(outline).filter(this::maySponsor);
    }

    /** An identity sponsors only where its roles allow it; somebody from elsewhere can do nothing here anyway. */
    private boolean maySponsor(Person person) {
        return !roster.isHere(person)
                || sponsoredBy().filter(from -> !roster.brings(person, from)).isEmpty();
    }

    private Optional<String> sponsoredBy() {
        return Line.sponsorRole(process).flatMap(Role.Held::from);
    }

    /** What a document says of itself that does not become so when it arrives. */
    List<String> arrivalAdvice(Outline outline) {
        return sponsorNamed(outline)
                .filter(person -> !maySponsor(person))
                .map(person -> "The document says that " + person.login() + " looks after it, who is not "
                        + sponsoredBy().map(process::title).orElse("allowed to") + " here; so nobody does yet.")
                .stream()
                .toList();
    }

    /** The state a document's word means, where it means one. */
    private Optional<String> state(Outline outline) {
        Predicate<String> held = role -> sponsor(outline).isPresent()
                || Line.sponsorRole(process)
                        .filter(sponsor -> sponsor.name().equals(role))
                        .isEmpty();
        return outline.status().flatMap(word -> process.stateMeant(word, held));
    }
}
