package dev.gavel.sep.desk;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.Line;
import dev.gavel.sep.kept.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Lists proposals, all or those somebody looks for, page by page. Waits for the disk. */
record Listing(Process process, Shelf shelf, Catalogue catalogue, Archive archive, Roster roster) {
    /** So many lines are read at once where the ledger cannot search by what is asked. */
    private static final int AT_ONCE = 500;

    /** So many of them are looked through for one answer. */
    private static final int MOST_SEARCHED = 5_000;

    private record Found(List<Line> lines, Optional<String> next) {}

    Reply list(Json arguments) {
        SubjectQuery query = SubjectQuery.of(Streams.SEPS);
        List<Predicate<Line>> filters = filters(arguments);
        Optional<String> state = arguments.at("state").ifText();
        if (state.isPresent()) {
            Optional<String> named = process.stateNamed(state.get().strip());
            if (named.isEmpty()) {
                return new Reply.Wrong("there is no state '" + state.get() + "', only "
                        + String.join(", ", process.states().keySet()));
            }
            query = query.state(named.get());
        }
        if (arguments.at("open").there()) {
            boolean open = arguments.at("open").isTrue();
            if (shelf.agrees()) {
                query = query.open(open);
            } else {
                filters.add(line -> process.state(line.state()).open() == open);
            }
        }
        @Nullable String cursor = arguments.at("cursor").ifText().orElse(null);
        Found found;
        try {
            found = search(query, filters, cursor, Enquiries.limit(arguments));
        } catch (IllegalArgumentException e) {
            return new Reply.Wrong("no list ever ended at the cursor '" + cursor + "'");
        }
        return Enquiries.done(json -> {
            json.writeArrayPropertyStart("seps");
            for (Line line : found.lines()) {
                json.writeStartObject();
                Views.line(json, line);
                holding(json, line.number());
                json.writeEndObject();
            }
            json.writeEndArray();
            found.next().ifPresent(where -> json.writeStringProperty("cursor", where));
            if (arguments.at("counts").isTrue()) {
                counts(json);
            }
        });
    }

    /** How many there are in each state of the process; those in a state that it has no more come after. */
    private void counts(JsonGenerator json) {
        Map<String, Integer> all = catalogue.counts();
        json.writeObjectPropertyStart("counts");
        Stream.concat(process.states().keySet().stream(), all.keySet().stream().sorted())
                .distinct()
                .forEach(state -> json.writeNumberProperty(state, all.getOrDefault(state, 0)));
        json.writeEndObject();
    }

    /** Looks through the ledger's lines for those wanted: a short answer with a cursor rather than a long search. */
    private Found search(SubjectQuery query, List<Predicate<Line>> wanted, @Nullable String from, int limit) {
        if (wanted.isEmpty()) {
            Archive.Page page = archive.page(query, from, limit);
            return new Found(page.lines(), page.next());
        }
        List<Line> found = new ArrayList<>();
        @Nullable String cursor = from;
        for (int searched = 0; searched < MOST_SEARCHED; searched += AT_ONCE) {
            Archive.Page page = archive.page(query, cursor, AT_ONCE);
            for (int i = 0; i < page.lines().size(); i++) {
                Line line = page.lines().get(i);
                if (wanted.stream().allMatch(each -> each.test(line))) {
                    found.add(line);
                }
                if (found.size() == limit) {
                    // The cursor that leads on from here is that of a shorter page.
                    return new Found(found, archive.page(query, cursor, i + 1).next());
                }
            }
            cursor = page.next().orElse(null);
            if (cursor == null) {
                break;
            }
        }
        return new Found(found, Optional.ofNullable(cursor));
    }

    private List<Predicate<Line>> filters(Json arguments) {
        List<Predicate<Line>> all = new ArrayList<>();
        arguments
                .at("author")
                .ifText()
                .map(roster::meant)
                .ifPresent(meant ->
                        all.add(line -> line.authors().stream().anyMatch(each -> meant.contains(new Person(each)))));
        arguments
                .at("sponsor")
                .ifText()
                .map(roster::meant)
                .ifPresent(meant -> all.add(line -> line.sponsor()
                        .filter(each -> meant.contains(new Person(each)))
                        .isPresent()));
        arguments
                .at("type")
                .ifText()
                .ifPresent(type -> all.add(line -> line.type().equalsIgnoreCase(type.strip())));
        arguments.at("text").ifText().ifPresent(text -> all.add(titled(text)));
        return all;
    }

    /** Every word is in the title, or is the number. */
    private static Predicate<Line> titled(String text) {
        List<String> words = Stream.of(text.toLowerCase(Locale.ROOT).strip().split("\\s+"))
                .map(word -> word.replaceFirst("^(sep-|#)(?=\\d)", ""))
                .toList();
        return line -> {
            String title = line.title().toLowerCase(Locale.ROOT);
            String number = Integer.toString(line.number());
            return words.stream().allMatch(word -> title.contains(word) || number.equals(word));
        };
    }

    private void holding(JsonGenerator json, int number) {
        shelf.entry(number).ifPresent(entry -> {
            Views.mustAct(json, entry.mustAct());
            json.writeStringProperty("holdingSince", entry.since().toString());
        });
    }
}
