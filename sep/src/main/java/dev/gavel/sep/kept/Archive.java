package dev.gavel.sep.kept;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
import dev.gavel.lifecycle.process.Process;
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

/** Reads proposals from a ledger. Waits for the disk, so not on an event loop. Thread-safe. */
public final class Archive {
    private static final Logger log = LoggerFactory.getLogger(Archive.class);
    private static final int PAGE = 500;
    private static final SubjectQuery OLDEST_FIRST =
            SubjectQuery.of(Streams.SEPS).order(SubjectQuery.Order.OLDEST_FIRST);

    private final LedgerReader ledger;
    private final SepReader reader;
    private final Set<Integer> passedOver = ConcurrentHashMap.newKeySet();

    public Archive(LedgerReader ledger, SepReader reader) {
        this.ledger = ledger;
        this.reader = reader;
    }

    /** A proposal; none where there is no such number. */
    public Optional<Sep> find(int number) {
        return reader.read(ledger.history(Streams.SEPS, Integer.toString(number)));
    }

    /** The same for whoever looks through many: one that cannot be read is passed over, and the log says so once. */
    public Optional<Sep> readable(int number) {
        try {
            return find(number);
        } catch (Unreadable e) {
            passOver(number, e);
            return Optional.empty();
        }
    }

    /** Says in the log, once, that a proposal cannot be read. */
    public void passOver(int number, Unreadable why) {
        if (passedOver.add(number)) {
            log.error("SEP {} cannot be read and is passed over from now on: {}", number, why.getMessage());
        }
    }

    /** The numbers of proposals about which somebody was asked and has not answered, in whatever state. */
    public List<Integer> asked() {
        return ledger.due(Streams.SEPS, Instant.MAX, Integer.MAX_VALUE).stream()
                .map(Summary::subject)
                .map(SepReader::number)
                .toList();
    }

    /**
     * Whether what is kept of proposals says of each whether it is open as a process does: they may have been written by
     * another.
     */
    public boolean agrees(Process process) {
        return process.states().values().stream()
                .allMatch(state -> ledger.subjects(
                                SubjectQuery.of(Streams.SEPS)
                                        .state(state.name())
                                        .open(!state.open()),
                                null,
                                1)
                        .subjects()
                        .isEmpty());
    }

    /** All that happened to a proposal, as it is kept. */
    public List<Event> events(int number) {
        return ledger.history(Streams.SEPS, Integer.toString(number));
    }

    /** The text of a document. */
    public Optional<String> text(String hash) {
        return ledger.history(Streams.DOCUMENTS, hash).stream()
                .findFirst()
                .map(event -> EventCodec.bodyOf(event).at("text").text());
    }

    /** What similarity to a document is found by. */
    public Optional<String> summary(String hash) {
        return ledger.summary(Streams.DOCUMENTS, hash)
                .flatMap(summary -> Json.parse(summary.body().toString()))
                .map(body -> body.at("summary").text());
    }

    /** How every proposal stands that a query means, page by page. */
    public void lines(SubjectQuery query, Consumer<Line> sink) {
        @Nullable String cursor = null;
        do {
            SubjectPage page = ledger.subjects(query, cursor, PAGE);
            for (Summary summary : page.subjects()) {
                sink.accept(line(summary));
            }
            cursor = page.next();
        } while (cursor != null);
    }

    private Line line(Summary summary) {
        return Line.read(summary).naming(reader.codec().who());
    }

    /** Every proposal that can be read, the oldest first, read as it is come to. */
    public Iterable<Sep> all() {
        return () -> Stream.iterate(
                        page(OLDEST_FIRST, null, PAGE),
                        Objects::nonNull,
                        page -> page.next()
                                .map(cursor -> page(OLDEST_FIRST, cursor, PAGE))
                                .orElse(null))
                .flatMap(page -> page.lines().stream())
                .flatMap(line -> readable(line.number()).stream())
                .iterator();
    }

    /** A page of proposals, as each stands. */
    public Page page(SubjectQuery query, @Nullable String cursor, int limit) {
        SubjectPage page = ledger.subjects(query, cursor, limit);
        return new Page(page.subjects().stream().map(this::line).toList(), Optional.ofNullable(page.next()));
    }

    /** Some of the proposals asked for, and where to go on. */
    public record Page(List<Line> lines, Optional<String> next) {
        public Page {
            lines = List.copyOf(lines);
        }
    }
}
