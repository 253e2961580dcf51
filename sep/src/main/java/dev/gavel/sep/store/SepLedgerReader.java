package dev.gavel.sep.store;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads SEPs, their events, summaries and documents from the ledger. Blocks on disk reads, so it must not be called on
 * an event loop. Thread-safe.
 */
public final class SepLedgerReader {
    private static final Logger log = LoggerFactory.getLogger(SepLedgerReader.class);
    private static final int PAGE = 500;
    private static final SubjectQuery OLDEST_FIRST =
            SubjectQuery.of(SepStreamNames.SEPS).order(SubjectQuery.Order.OLDEST_FIRST);

    private final LedgerReader ledger;
    private final SepReplayer reader;
    private final Set<Integer> loggedUnreadable = ConcurrentHashMap.newKeySet();

    public SepLedgerReader(LedgerReader ledger, SepReplayer reader) {
        this.ledger = ledger;
        this.reader = reader;
    }

    /**
     * Returns the SEP with a number; empty if there is none.
     *
     * @throws UnreadableSepException if the events of the SEP cannot be decoded
     */
    public Optional<Sep> find(int number) {
        return reader.replay(ledger.history(SepStreamNames.SEPS, Integer.toString(number)));
    }

    /**
     * Returns the SEP with a number, for callers that read many SEPs. A SEP that cannot be decoded is skipped and
     * logged once.
     */
    public Optional<Sep> findReadable(int number) {
        try {
            return find(number);
        } catch (UnreadableSepException e) {
            logUnreadable(number, e);
            return Optional.empty();
        }
    }

    /** Logs once that a SEP cannot be decoded. */
    public void logUnreadable(int number, UnreadableSepException failure) {
        if (loggedUnreadable.add(number)) {
            log.error("Proposal {} cannot be read and is skipped from now on: {}", number, failure.getMessage());
        }
    }

    /** Returns the numbers of the SEPs with an unanswered question, in any state. */
    public List<Integer> withOpenQuestions() {
        return ledger.dueSubjects(SepStreamNames.SEPS, Instant.MAX, Integer.MAX_VALUE).stream()
                .map(SubjectSummary::subject)
                .map(SepReplayer::parseNumber)
                .toList();
    }

    /**
     * Whether all stored summaries classify states as open exactly as a process does. They may have been written under
     * another process.
     */
    public boolean summariesAgree(ProcessDefinition processDefinition) {
        return processDefinition.states().values().stream()
                .allMatch(state -> ledger.subjects(
                                SubjectQuery.of(SepStreamNames.SEPS)
                                        .state(state.name())
                                        .open(!state.isOpen()),
                                null,
                                1)
                        .subjects()
                        .isEmpty());
    }

    /** Returns the ledger events of a SEP. */
    public List<LedgerEvent> events(int number) {
        return ledger.history(SepStreamNames.SEPS, Integer.toString(number));
    }

    /** Returns the text of a document. */
    public Optional<String> documentText(String hash) {
        return ledger.history(SepStreamNames.DOCUMENTS, hash).stream()
                .findFirst()
                .map(event -> SepEventCodec.parseBody(event).at("text").text());
    }

    /** Returns the summary of a document, which the similarity index uses. */
    public Optional<String> documentSummary(String hash) {
        return ledger.summary(SepStreamNames.DOCUMENTS, hash)
                .flatMap(summary -> Json.parse(summary.body().toString()))
                .map(body -> body.at("summary").text());
    }

    /** Passes the summary of every SEP that matches a query to the sink, reading page by page. */
    public void forEachSummary(SubjectQuery query, Consumer<SepSummary> sink) {
        @Nullable String cursor = null;
        do {
            SubjectPage page = ledger.subjects(query, cursor, PAGE);
            for (SubjectSummary summary : page.subjects()) {
                sink.accept(toSummary(summary));
            }
            cursor = page.nextCursor();
        } while (cursor != null);
    }

    private SepSummary toSummary(SubjectSummary summary) {
        return SepSummary.fromLedgerSummary(summary)
                .withResolvedPeople(reader.codec().personResolver());
    }

    /** Returns every readable SEP, the oldest first. The iteration reads the ledger as it proceeds. */
    public Iterable<Sep> all() {
        return () -> Stream.iterate(
                        page(OLDEST_FIRST, null, PAGE),
                        Objects::nonNull,
                        page -> page.next()
                                .map(cursor -> page(OLDEST_FIRST, cursor, PAGE))
                                .orElse(null))
                .flatMap(page -> page.summaries().stream())
                .flatMap(sepSummary -> findReadable(sepSummary.number()).stream())
                .iterator();
    }

    /** Returns a page of summaries. */
    public SummaryPage page(SubjectQuery query, @Nullable String cursor, int limit) {
        SubjectPage page = ledger.subjects(query, cursor, limit);
        return new SummaryPage(
                page.subjects().stream().map(this::toSummary).toList(), Optional.ofNullable(page.nextCursor()));
    }

    /** A page of summaries, and the cursor of the next page. */
    public record SummaryPage(List<SepSummary> summaries, Optional<String> next) {
        public SummaryPage {
            summaries = List.copyOf(summaries);
        }
    }
}
