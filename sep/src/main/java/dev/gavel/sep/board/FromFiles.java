package dev.gavel.sep.board;

import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Author;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Outline;
import dev.gavel.sep.kept.Hashes;
import dev.gavel.sep.kept.Line;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes proposals of documents alone, as importing them would: each stands where its document says, since the day it was
 * created, for nothing else is known of it. Not thread-safe.
 */
public final class FromFiles {
    /** What a document that names no author has for one. */
    private static final String NOBODY = "(no author named)";

    private static final Pattern NUMBERED = Pattern.compile("0*([1-9]\\d{0,8})(?:\\D.*)?");

    private final Process process;
    private final Map<Integer, Sep> seps = new LinkedHashMap<>();
    private final Map<Integer, String> names = new LinkedHashMap<>();
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final List<String> complaints = new ArrayList<>();

    public FromFiles(Process process) {
        this.process = process;
    }

    /**
     * Takes a document in.
     *
     * @param name the file's name as its reader knows it
     * @param changed when the file was last changed: its date where the document has none
     */
    public void add(String name, Document document, Instant changed) {
        Outline outline = document.outline();
        OptionalInt number = number(outline, name);
        if (number.isEmpty()) {
            complaints.add(name + ": left out, for it has no number: neither its title nor its file's name begins with"
                    + " one, such as 1286-title.md");
            return;
        }
        String first = names.putIfAbsent(number.getAsInt(), name);
        if (first != null) {
            complaints.add(name + ": left out, for " + first + " is SEP-" + number.getAsInt() + " already; give one of"
                    + " them another number");
            return;
        }
        String hash = Hashes.of(document.text());
        texts.put(hash, document.text());
        History history = History.of(events(name, outline, changed));
        seps.put(number.getAsInt(), new Sep(number.getAsInt(), history, outline, hash));
    }

    /** The proposals, in the order they were added. */
    public List<Sep> seps() {
        return List.copyOf(seps.values());
    }

    /** The document of one of them. */
    public String text(Sep sep) {
        return texts.getOrDefault(sep.document(), "");
    }

    /** A proposal by its number. */
    public Optional<Sep> find(int number) {
        return Optional.ofNullable(seps.get(number));
    }

    /** What could not be read from documents, and what was done instead; each with its file's name. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    private static OptionalInt number(Outline outline, String name) {
        if (outline.number().isPresent()) {
            return outline.number();
        }
        Matcher file = NUMBERED.matcher(name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1));
        return file.matches() ? OptionalInt.of(Integer.parseInt(file.group(1))) : OptionalInt.empty();
    }

    private List<Event> events(String name, Outline outline, Instant changed) {
        Optional<Role.Held> taken = Line.sponsorRole(process);
        Optional<Person> sponsor = outline.sponsor()
                .map(Author::known)
                .filter(known -> !known.isBlank())
                .map(Person::new);
        List<Person> authors = outline.authors().stream()
                .map(Author::known)
                .filter(known -> !known.isBlank())
                .distinct()
                .map(Person::new)
                .toList();
        if (authors.isEmpty()) {
            complaints.add(name + ": names no author");
        }
        List<Person> people = authors.isEmpty() ? List.of(new Person(NOBODY)) : authors;
        Instant at = created(name, outline, changed);
        String state = state(
                name,
                outline,
                role -> sponsor.isPresent()
                        && taken.filter(held -> held.name().equals(role)).isPresent());
        List<Event> events = new ArrayList<>();
        events.add(new Event.Submitted(
                at,
                new Actor(people.getFirst(), List.of()),
                state,
                process.proposer().name(),
                people,
                attributes(outline)));
        if (taken.isPresent() && sponsor.isPresent()) {
            // Nobody saw them take it: it is no answer of theirs, and no activity.
            events.add(new Event.RoleTaken(at, Actor.system(), taken.get().name(), sponsor.get()));
        }
        return events;
    }

    private String state(String name, Outline outline, Predicate<String> held) {
        String start = process.start().to();
        if (outline.status().isEmpty()) {
            complaints.add(name + ": says no status; it is shown as " + start);
            return start;
        }
        String word = outline.status().get();
        return process.stateMeant(word, held).orElseGet(() -> {
            complaints.add(name + ": the process " + process.name() + " has no state '" + word + "'; it is shown as "
                    + start + ". Write one of "
                    + String.join(", ", process.states().keySet()));
            return start;
        });
    }

    private Instant created(String name, Outline outline, Instant changed) {
        Optional<String> said = outline.created();
        Optional<Instant> day = said.flatMap(FromFiles::day);
        if (day.isEmpty()) {
            complaints.add(name + ": "
                    + said.map(text -> "'" + text + "' is no date such as 2025-08-12")
                            .orElse("says no date it was created")
                    + "; the file's is taken");
        }
        return day.orElse(changed);
    }

    private static Optional<Instant> day(String text) {
        try {
            return Optional.of(
                    LocalDate.parse(text.strip()).atStartOfDay(ZoneOffset.UTC).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private Map<String, String> attributes(Outline outline) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("title", outline.title());
        outline.type().ifPresent(type -> attributes.put("type", type));
        return attributes;
    }
}
