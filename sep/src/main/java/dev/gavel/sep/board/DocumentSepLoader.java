package dev.gavel.sep.board;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcpx.text.Sha256;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Author;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentDateFormat;
import dev.gavel.sep.document.DocumentFileName;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.store.SepSummary;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** Builds SEPs from document files alone, without a ledger, for an offline static board. Not thread-safe. */
public final class DocumentSepLoader {
    /** Author of a document that names no author. */
    private static final String NO_AUTHOR = "(no author)";

    private final ProcessDefinition processDefinition;
    private final Map<Integer, Sep> seps = new LinkedHashMap<>();
    private final Map<Integer, String> names = new LinkedHashMap<>();
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();

    public DocumentSepLoader(ProcessDefinition processDefinition) {
        this.processDefinition = processDefinition;
    }

    /**
     * Adds the SEP of a document, or a warning if the document has no number or one that is already in use.
     *
     * @param name the file's name, as shown in warnings
     * @param changed when the file was last changed; used as creation date if the document states none
     */
    public void add(String name, Document document, Instant changed) {
        DocumentMetadata documentMetadata = document.metadata();
        OptionalInt number = documentMetadata.number().isPresent()
                ? documentMetadata.number()
                : DocumentFileName.numbered(name, document.format())
                        .map(DocumentFileName::number)
                        .orElse(OptionalInt.empty());
        if (number.isEmpty()) {
            warnings.add(name + ": skipped: it has no number. Start its title or its file name with a number, such as"
                    + " 1286-title.md.");
            return;
        }
        String first = names.putIfAbsent(number.getAsInt(), name);
        if (first != null) {
            warnings.add(name + ": skipped: " + first + " is already "
                    + document.format().numberLabel(number.getAsInt()) + ". Give one of them another number.");
            return;
        }
        String hash = Sha256.hex(document.text());
        texts.put(hash, document.text());
        LifecycleHistory history = LifecycleHistory.of(events(name, documentMetadata, changed));
        seps.put(number.getAsInt(), new Sep(number.getAsInt(), history, documentMetadata, hash));
    }

    /** Returns the SEPs in the order in which they were added. */
    public List<Sep> seps() {
        return List.copyOf(seps.values());
    }

    /** Returns the document text of a SEP; empty if the SEP was not added here. */
    public String text(Sep sep) {
        return texts.getOrDefault(sep.documentHash(), "");
    }

    /** Returns the SEP with a number. */
    public Optional<Sep> find(int number) {
        return Optional.ofNullable(seps.get(number));
    }

    /**
     * Returns one warning for each value that could not be read from a document, with the file's name and the value
     * used instead.
     */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    private List<LifecycleEvent> events(String name, DocumentMetadata documentMetadata, Instant changed) {
        Optional<Role.ProposalRole> sponsorRole = SepSummary.sponsorRole(processDefinition);
        Optional<Person> sponsor = documentMetadata
                .sponsor()
                .map(Author::identifier)
                .filter(known -> !known.isBlank())
                .map(Person::new);
        List<Person> authors = documentMetadata.authors().stream()
                .map(Author::identifier)
                .filter(known -> !known.isBlank())
                .distinct()
                .map(Person::new)
                .toList();
        if (authors.isEmpty()) {
            warnings.add(name + ": has no author.");
        }
        List<Person> people = authors.isEmpty() ? List.of(new Person(NO_AUTHOR)) : authors;
        Instant at = created(name, documentMetadata, changed);
        String state = state(
                name,
                documentMetadata,
                role -> sponsor.isPresent()
                        && sponsorRole
                                .filter(proposalRole -> proposalRole.name().equals(role))
                                .isPresent());
        List<LifecycleEvent> events = new ArrayList<>();
        events.add(new LifecycleEvent.Submitted(
                at,
                new Actor(people.getFirst(), List.of()),
                state,
                processDefinition.proposerRole().name(),
                people,
                attributes(documentMetadata)));
        if (sponsorRole.isPresent() && sponsor.isPresent()) {
            // The system takes the role for the sponsor: it must count neither as the sponsor's response nor as
            // activity.
            events.add(new LifecycleEvent.RoleTaken(
                    at, Actor.system(), sponsorRole.get().name(), sponsor.get()));
        }
        return events;
    }

    private String state(String name, DocumentMetadata documentMetadata, Predicate<String> held) {
        String start = processDefinition.startMove().to();
        if (documentMetadata.status().isEmpty()) {
            warnings.add(name + ": has no status, so it is shown as " + start + ".");
            return start;
        }
        String word = documentMetadata.status().get();
        return processDefinition.resolveState(word, held).orElseGet(() -> {
            warnings.add(name + ": the process " + processDefinition.name() + " has no state '" + word
                    + "', so it is shown as " + start + ". Use one of "
                    + String.join(", ", processDefinition.states().keySet()) + ".");
            return start;
        });
    }

    private Instant created(String name, DocumentMetadata documentMetadata, Instant changed) {
        Optional<String> createdText = documentMetadata.created();
        Optional<Instant> day = createdText
                .flatMap(text -> DocumentDateFormat.parse(text, processDefinition.documentFormat()))
                .map(date -> date.atStartOfDay(ZoneOffset.UTC).toInstant());
        if (day.isEmpty()) {
            warnings.add(name + ": "
                    + createdText
                            .map(text -> "'" + text + "' is not a date such as 2025-08-12")
                            .orElse("has no creation date")
                    + ", so the file's date is used.");
        }
        return day.orElse(changed);
    }

    private Map<String, String> attributes(DocumentMetadata documentMetadata) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("title", documentMetadata.title());
        documentMetadata.type().ifPresent(type -> attributes.put("type", type));
        return attributes;
    }
}
