package dev.gavel.bench.seps;

import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.View;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Outline;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.Filed;
import dev.gavel.sep.kept.Line;
import dev.gavel.sep.kept.SepReader;
import dev.gavel.sep.kept.Streams;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;

/** A ledger with many proposals of ten events each, written as the desk would. Not thread-safe. */
final class FilledLedger implements AutoCloseable {
    static final int EVENTS = 10;
    private static final int SPONSORS = 40;
    private static final int AUTHORS = 5_000;

    private final SqliteLedger ledger;
    private final LedgerWriter writer;
    private final Process process;
    private final SepReader reader = new SepReader(new EventCodec(UnaryOperator.identity()));
    private int number;

    FilledLedger(Path file, Process process) {
        this.ledger = switch (SqliteLedger.open(file, SqliteOptions.DEFAULT)) {
            case Opening.Opened(SqliteLedger opened) -> opened;
            case Opening.Refused(String reason) -> throw new IllegalStateException(reason);
        };
        this.writer = new LedgerWriter(ledger, InstantSource.system(), WriterOptions.DEFAULT);
        this.process = process;
    }

    SqliteLedger ledger() {
        return ledger;
    }

    LedgerWriter writer() {
        return writer;
    }

    /** Writes so many more proposals that end up in a state. */
    void add(int count, String state) throws InterruptedException {
        Semaphore room = new Semaphore(1000);
        for (int i = 0; i < count; i++) {
            int mine = ++number;
            room.acquire();
            writer.submit(Streams.SEPS, view -> write(view, mine, state), outcome -> room.release());
        }
        room.acquire(1000);
    }

    private Decided<Boolean> write(View view, int mine, String state) {
        Instant start = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofMinutes(mine));
        Actor author = Actor.of("author" + mine % AUTHORS);
        Actor sponsor = Actor.of("sponsor" + mine % SPONSORS, "maintainer");
        Outline outline = Document.read("# SEP-" + mine + ": Title of proposal " + mine
                        + "\n\n## Abstract\n\nWords.\n\n## Motivation\n\nWords.\n")
                .outline();
        List<Event> events = new ArrayList<>();
        events.add(new Event.Submitted(
                start,
                author,
                process.start().to(),
                process.proposer().name(),
                List.of(author.person()),
                Map.of("title", outline.title(), "type", "Standards Track")));
        if (!state.equals(process.start().to())) {
            events.add(new Event.Moved(
                    start.plusSeconds(60), sponsor, process.start().to(), state, List.of()));
            events.add(new Event.RoleTaken(
                    start.plusSeconds(60),
                    sponsor,
                    "sponsor",
                    new Person(sponsor.person().login())));
            events.add(new Event.Attached(
                    start.plusSeconds(90),
                    sponsor,
                    List.of(new Evidence("goals", "https://example.org/goals/" + mine))));
        }
        while (events.size() < EVENTS) {
            events.add(new Event.Commented(
                    start.plusSeconds(100 + events.size()),
                    author,
                    "A remark of ordinary length about this proposal."));
        }
        List<dev.gavel.ledger.Event> kept = new ArrayList<>();
        for (Event event : events) {
            kept.add(view.event(
                    Integer.toString(mine),
                    EventCodec.type(event),
                    event.by().person().login(),
                    null,
                    EventCodec.body(
                            event,
                            kept.isEmpty() ? Optional.of(new Filed("0".repeat(64), outline)) : Optional.empty())));
        }
        Sep sep = reader.plus(null, kept);
        return new Decided<>(
                true, kept, List.of(Line.of(sep, process).summary(kept.getLast().seq())));
    }

    @Override
    public void close() {
        writer.close();
        ledger.close();
    }
}
