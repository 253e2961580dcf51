package dev.gavel.sep.service;

import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Author;
import dev.gavel.sep.document.DocumentDateFormat;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.store.SepSummary;
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

/**
 * Converts the metadata of a SEP document to the attributes, commands and events that submit, import or update the SEP.
 */
record SepDocumentMapper(ProcessDefinition processDefinition, PeopleResolver peopleResolver) {
    private static final int MOST_AUTHORS = 100;
    private static final int LONGEST_TITLE = 300;
    private static final String DISCUSSION = "discussion";

    /** Returns the document's values of the attributes that the process defines. */
    Map<String, String> attributes(DocumentMetadata documentMetadata) {
        Map<String, String> all = new LinkedHashMap<>();
        if (processDefinition.attributes().containsKey("title")) {
            all.put("title", shorten(documentMetadata.title()));
        }
        AttributeDefinition type = processDefinition.attributes().get("type");
        if (type != null) {
            documentMetadata.type().or(type::defaultValue).ifPresent(typeValue -> all.put("type", typeValue));
        }
        return all;
    }

    private static String shorten(String title) {
        return title.length() <= LONGEST_TITLE ? title : title.substring(0, LONGEST_TITLE - 1) + "…";
    }

    /** Returns the attributes in the syntax of the process. An invalid value is replaced by the default value. */
    Map<String, String> normalizedAttributes(DocumentMetadata documentMetadata) {
        Map<String, String> all = new LinkedHashMap<>();
        attributes(documentMetadata)
                .forEach((name, value) -> Optional.ofNullable(
                                processDefinition.attributes().get(name))
                        .flatMap(attribute -> attribute.canonicalValue(value).or(attribute::defaultValue))
                        .ifPresent(canonicalValue -> all.put(name, canonicalValue)));
        return all;
    }

    /** Returns advice about a type that the process does not have. */
    List<String> typeAdvice(DocumentMetadata documentMetadata) {
        AttributeDefinition type = processDefinition.attributes().get("type");
        return type == null
                        || documentMetadata.type().isEmpty()
                        || type.canonicalValue(documentMetadata.type().get()).isPresent()
                ? List.of()
                : List.of("Unknown type '" + documentMetadata.type().get() + "'; the "
                        + processDefinition.terms().name() + " gets the type "
                        + type.defaultValue().orElse("none") + ". The types are " + String.join(", ", type.values())
                        + ".");
    }

    /** Returns the attributes that differ from those of the SEP. */
    static Map<String, String> changedAttributes(Sep sep, Map<String, String> attributes) {
        Map<String, String> all = new LinkedHashMap<>(attributes);
        all.entrySet()
                .removeIf(entry ->
                        entry.getValue().equals(sep.snapshot().attributes().get(entry.getKey())));
        return all;
    }

    private List<Person> authors(DocumentMetadata documentMetadata) {
        LinkedHashSet<Person> people = new LinkedHashSet<>();
        for (Author author : documentMetadata.authors()) {
            if (!author.identifier().isBlank() && people.size() < MOST_AUTHORS) {
                people.add(peopleResolver.resolve(author));
            }
        }
        return List.copyOf(people);
    }

    LifecycleCommand.Submit submitCommand(Actor by, DocumentMetadata documentMetadata) {
        return new LifecycleCommand.Submit(
                by, authors(documentMetadata), normalizedAttributes(documentMetadata), evidence(documentMetadata));
    }

    private List<Evidence> evidence(DocumentMetadata documentMetadata) {
        EvidenceDefinition kind = processDefinition.evidence().get(DISCUSSION);
        return kind == null
                ? List.of()
                : documentMetadata.discussion().filter(SepDocumentMapper::isLink).stream()
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
     * Returns the events that add the authors named only in the new document, if the editor is an author. An author
     * whom the previous document named too either is an author already, or was one and left.
     */
    List<LifecycleEvent> newAuthorEvents(Sep sep, DocumentMetadata documentMetadata, Actor by, Instant now) {
        String role = sep.snapshot().proposerRole();
        if (!sep.snapshot().holders().holds(by.person(), role)) {
            return List.of();
        }
        List<Person> before = authors(sep.metadata());
        return authors(documentMetadata).stream()
                .filter(person -> !before.contains(person))
                .filter(person -> !sep.snapshot().holders().holds(person, role))
                .<LifecycleEvent>map(person -> new LifecycleEvent.RoleTaken(now, by, role, person))
                .toList();
    }

    /**
     * Returns the events that import a document with the status it states. The clocks of its state start now, or when
     * the document was last changed.
     */
    List<LifecycleEvent> importEvents(
            Actor by, DocumentMetadata documentMetadata, ImportOptions importOptions, Instant now) {
        List<Person> people = authors(documentMetadata);
        Instant at = importOptions.enteredAt(now);
        List<LifecycleEvent> events = new ArrayList<>();
        events.add(new LifecycleEvent.Submitted(
                at,
                by,
                importedState(documentMetadata),
                processDefinition.proposerRole().name(),
                people.isEmpty() ? List.of(by.person()) : people,
                normalizedAttributes(documentMetadata),
                importOptions.submittedAt(
                        documentMetadata
                                .created()
                                .flatMap(text -> DocumentDateFormat.parse(text, processDefinition.documentFormat())),
                        now)));
        SepSummary.sponsorRole(processDefinition)
                .ifPresent(role -> sponsor(documentMetadata)
                        .ifPresent(person -> events.add(new LifecycleEvent.RoleTaken(at, by, role.name(), person))));
        List<Evidence> given = evidence(documentMetadata);
        if (!given.isEmpty()) {
            events.add(new LifecycleEvent.EvidenceAttached(at, by, given));
        }
        return events;
    }

    /**
     * Returns the state of an imported document. If its sponsor would have moved it on by taking the role, it has moved
     * on. An author cannot sponsor their own SEP.
     */
    private String importedState(DocumentMetadata documentMetadata) {
        String state =
                state(documentMetadata).orElse(processDefinition.startMove().to());
        return sponsor(documentMetadata)
                .filter(person -> processDefinition.state(state).isOpen()
                        && !authors(documentMetadata).contains(person))
                .flatMap(person -> SepSummary.sponsorRole(processDefinition))
                .flatMap(role -> processDefinition.movesFrom(state).stream()
                        .filter(move ->
                                move.takenRole().filter(role.name()::equals).isPresent())
                        .map(MoveDefinition::to)
                        .findFirst())
                .orElse(state);
    }

    private Optional<Person> sponsorNamed(DocumentMetadata documentMetadata) {
        return documentMetadata
                .sponsor()
                .filter(author -> !author.identifier().isBlank())
                .map(peopleResolver::resolve);
    }

    private Optional<Person> sponsor(DocumentMetadata documentMetadata) {
        return sponsorNamed(documentMetadata).filter(this::maySponsor);
    }

    /**
     * A local identity may sponsor only if its roles allow it. A person without an identity is accepted, because that
     * person cannot act here anyway.
     */
    private boolean maySponsor(Person person) {
        return !peopleResolver.isLocal(person)
                || sponsorSourceRole()
                        .filter(from -> !peopleResolver.hasRole(person, from))
                        .isEmpty();
    }

    private Optional<String> sponsorSourceRole() {
        return SepSummary.sponsorRole(processDefinition).flatMap(Role.ProposalRole::eligibleRole);
    }

    /** Returns advice about the statements in a document that the import ignores. */
    List<String> importAdvice(DocumentMetadata documentMetadata) {
        return sponsorNamed(documentMetadata)
                .filter(person -> !maySponsor(person))
                .map(person -> "The document names " + peopleResolver.name(person) + " as sponsor, but "
                        + peopleResolver.name(person) + " is not "
                        + sponsorSourceRole().map(processDefinition::title).orElse("eligible")
                        + " on this server. The " + processDefinition.terms().name() + " has no sponsor yet.")
                .stream()
                .toList();
    }

    /** Returns the state that the document's status means, if it means one. */
    private Optional<String> state(DocumentMetadata documentMetadata) {
        Predicate<String> held = role -> sponsor(documentMetadata).isPresent()
                || SepSummary.sponsorRole(processDefinition)
                        .filter(sponsor -> sponsor.name().equals(role))
                        .isEmpty();
        return documentMetadata.status().flatMap(word -> processDefinition.resolveState(word, held));
    }
}
