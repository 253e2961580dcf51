package dev.gavel.bench.sep;

import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepReplayer;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.SepSummary;
import dev.gavel.sep.store.StoredDocumentMetadata;
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

/**
 * Fills a SQLite ledger with many SEPs of ten events each, in the format that the SEP service writes. Not thread-safe.
 */
final class SepLedgerFiller implements AutoCloseable {
    static final int EVENTS = 10;
    private static final int SPONSORS = 40;
    private static final int AUTHORS = 5_000;

    private final SqliteLedger ledger;
    private final LedgerWriter writer;
    private final ProcessDefinition processDefinition;
    private final SepReplayer reader = new SepReplayer(new SepEventCodec(UnaryOperator.identity()));
    private int number;

    SepLedgerFiller(Path file, ProcessDefinition processDefinition) {
        this.ledger = switch (SqliteLedger.open(file, SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Opened(SqliteLedger opened) -> opened;
            case SqliteOpenResult.Refused(String reason) -> throw new IllegalStateException(reason);
        };
        this.writer = new LedgerWriter(ledger, InstantSource.system(), WriterOptions.DEFAULT);
        this.processDefinition = processDefinition;
    }

    SqliteLedger ledger() {
        return ledger;
    }

    LedgerWriter writer() {
        return writer;
    }

    /** Writes this many more SEPs that end in a state. */
    void addSeps(int count, String state) throws InterruptedException {
        Semaphore permits = new Semaphore(1000);
        for (int i = 0; i < count; i++) {
            int sepNumber = ++number;
            permits.acquire();
            writer.submit(
                    SepStreamNames.SEPS,
                    writerTaskContext -> write(writerTaskContext, sepNumber, state),
                    writeResult -> permits.release());
        }
        permits.acquire(1000);
    }

    private TaskDecision<Boolean> write(WriterTaskContext writerTaskContext, int sepNumber, String state) {
        Instant start = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofMinutes(sepNumber));
        Actor author = Actor.of("author" + sepNumber % AUTHORS);
        Actor sponsor = Actor.of("sponsor" + sepNumber % SPONSORS, "maintainer");
        DocumentMetadata documentMetadata = Document.read(
                        "# SEP-" + sepNumber + ": Title of proposal " + sepNumber
                                + "\n\n## Abstract\n\nWords.\n\n## Motivation\n\nWords.\n",
                        BuiltInProcesses.defaultProcess().documentFormat())
                .metadata();
        List<LifecycleEvent> events = new ArrayList<>();
        events.add(new LifecycleEvent.Submitted(
                start,
                author,
                processDefinition.startMove().to(),
                processDefinition.proposerRole().name(),
                List.of(author.person()),
                Map.of("title", documentMetadata.title(), "type", "Standards Track")));
        if (!state.equals(processDefinition.startMove().to())) {
            events.add(new LifecycleEvent.Moved(
                    start.plusSeconds(60),
                    sponsor,
                    processDefinition.startMove().to(),
                    state,
                    List.of()));
            events.add(new LifecycleEvent.RoleTaken(
                    start.plusSeconds(60),
                    sponsor,
                    "sponsor",
                    new Person(sponsor.person().login())));
            events.add(new LifecycleEvent.EvidenceAttached(
                    start.plusSeconds(90),
                    sponsor,
                    List.of(new Evidence("goals", "https://example.org/goals/" + sepNumber))));
        }
        while (events.size() < EVENTS) {
            events.add(new LifecycleEvent.Commented(
                    start.plusSeconds(100 + events.size()),
                    author,
                    "A remark of ordinary length about this proposal."));
        }
        List<dev.gavel.ledger.LedgerEvent> history = new ArrayList<>();
        for (LifecycleEvent event : events) {
            history.add(writerTaskContext.createEvent(
                    Integer.toString(sepNumber),
                    SepEventCodec.typeName(event),
                    event.by().person().login(),
                    null,
                    SepEventCodec.encodeBody(
                            event,
                            history.isEmpty()
                                    ? Optional.of(new StoredDocumentMetadata("0".repeat(64), documentMetadata))
                                    : Optional.empty(),
                            "")));
        }
        Sep sep = reader.append(null, history);
        return new TaskDecision<>(
                true,
                history,
                List.of(SepSummary.of(sep, processDefinition)
                        .toLedgerSummary(history.getLast().seq())));
    }

    @Override
    public void close() {
        writer.close();
        ledger.close();
    }
}
