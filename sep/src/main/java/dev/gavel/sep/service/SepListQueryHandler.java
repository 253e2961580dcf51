package dev.gavel.sep.service;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.SepSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Lists SEPs page by page, filtered by state, author, sponsor, type or words of the title. Blocks on disk reads. */
record SepListQueryHandler(
        ProcessDefinition processDefinition,
        OpenSepCache openSeps,
        SepIndex index,
        SepLedgerReader sepReader,
        PeopleResolver peopleResolver) {
    /** The number of summaries read at once if the ledger cannot filter by the requested criteria. */
    private static final int PAGE_SIZE = 500;

    /** The maximum number of summaries searched for one result. */
    private static final int MAX_SEARCHED = 5_000;

    private record ResultPage(List<SepSummary> sepSummaries, Optional<String> next) {}

    SepResult list(Json arguments) {
        SubjectQuery query = SubjectQuery.of(SepStreamNames.SEPS);
        List<Predicate<SepSummary>> filters = filters(arguments);
        Optional<String> state = arguments.at("state").asText();
        if (state.isPresent()) {
            Optional<String> stateName = processDefinition.findState(state.get().strip());
            if (stateName.isEmpty()) {
                return new SepResult.InvalidRequest("there is no state '" + state.get() + "'; the states are "
                        + String.join(", ", processDefinition.states().keySet()));
            }
            query = query.state(stateName.get());
        }
        if (arguments.at("open").isPresent()) {
            boolean open = arguments.at("open").isTrue();
            if (openSeps.summariesAgree()) {
                query = query.open(open);
            } else {
                filters.add(sepSummary ->
                        processDefinition.state(sepSummary.state()).isOpen() == open);
            }
        }
        @Nullable String cursor = arguments.at("cursor").asText().orElse(null);
        ResultPage resultPage;
        try {
            resultPage = search(query, filters, cursor, SepQueries.pageLimit(arguments));
        } catch (IllegalArgumentException e) {
            return new SepResult.InvalidRequest("the cursor '" + cursor + "' is not valid");
        }
        return new SepResult.Success(SepJsonWriter.write(peopleResolver, writer -> {
            JsonGenerator json = writer.json();
            json.writeArrayPropertyStart("seps");
            for (SepSummary sepSummary : resultPage.sepSummaries()) {
                json.writeStartObject();
                writer.summary(sepSummary);
                writeHolders(writer, sepSummary.number());
                json.writeEndObject();
            }
            json.writeEndArray();
            resultPage.next().ifPresent(where -> json.writeStringProperty("cursor", where));
            if (arguments.at("counts").isTrue()) {
                counts(json);
            }
        }));
    }

    /** Writes the number of SEPs in each state of the process, followed by states that the process no longer has. */
    private void counts(JsonGenerator json) {
        Map<String, Integer> all = index.countsByState();
        json.writeObjectPropertyStart("counts");
        Stream.concat(
                        processDefinition.states().keySet().stream(),
                        all.keySet().stream().sorted())
                .distinct()
                .forEach(state -> json.writeNumberProperty(state, all.getOrDefault(state, 0)));
        json.writeEndObject();
    }

    /** Searches the summaries for matches. It returns a short page with a cursor rather than searching for too long. */
    private ResultPage search(
            SubjectQuery query, List<Predicate<SepSummary>> wanted, @Nullable String from, int limit) {
        if (wanted.isEmpty()) {
            SepLedgerReader.SummaryPage page = sepReader.page(query, from, limit);
            return new ResultPage(page.summaries(), page.next());
        }
        List<SepSummary> found = new ArrayList<>();
        @Nullable String cursor = from;
        for (int searched = 0; searched < MAX_SEARCHED; searched += PAGE_SIZE) {
            SepLedgerReader.SummaryPage page = sepReader.page(query, cursor, PAGE_SIZE);
            for (int i = 0; i < page.summaries().size(); i++) {
                SepSummary sepSummary = page.summaries().get(i);
                if (wanted.stream().allMatch(each -> each.test(sepSummary))) {
                    found.add(sepSummary);
                }
                if (found.size() == limit) {
                    // Reads a shorter page again to get the cursor after the last match.
                    return new ResultPage(
                            found, sepReader.page(query, cursor, i + 1).next());
                }
            }
            cursor = page.next().orElse(null);
            if (cursor == null) {
                break;
            }
        }
        return new ResultPage(found, Optional.ofNullable(cursor));
    }

    private List<Predicate<SepSummary>> filters(Json arguments) {
        List<Predicate<SepSummary>> all = new ArrayList<>();
        arguments
                .at("author")
                .asText()
                .map(peopleResolver::candidates)
                .ifPresent(people -> all.add(sepSummary ->
                        sepSummary.authors().stream().anyMatch(each -> people.contains(new Person(each)))));
        arguments
                .at("sponsor")
                .asText()
                .map(peopleResolver::candidates)
                .ifPresent(people -> all.add(sepSummary -> sepSummary
                        .sponsor()
                        .filter(each -> people.contains(new Person(each)))
                        .isPresent()));
        arguments
                .at("type")
                .asText()
                .ifPresent(type -> all.add(sepSummary -> sepSummary.type().equalsIgnoreCase(type.strip())));
        arguments.at("text").asText().ifPresent(text -> all.add(matchesText(text)));
        return all;
    }

    /** Whether each word occurs in the title or is the number. */
    private Predicate<SepSummary> matchesText(String text) {
        String prefix = Pattern.quote(processDefinition.terms().name().toLowerCase(Locale.ROOT));
        List<String> words = Stream.of(text.toLowerCase(Locale.ROOT).strip().split("\\s+"))
                .map(word -> word.replaceFirst("^(" + prefix + "-|#)(?=\\d)", ""))
                .toList();
        return sepSummary -> {
            String title = sepSummary.title().toLowerCase(Locale.ROOT);
            String number = Integer.toString(sepSummary.number());
            return words.stream().allMatch(word -> title.contains(word) || number.equals(word));
        };
    }

    private void writeHolders(SepJsonWriter writer, int number) {
        openSeps.entry(number).ifPresent(entry -> {
            writer.mustAct(entry.mustAct());
            writer.json().writeStringProperty("holdingSince", entry.since().toString());
        });
    }
}
