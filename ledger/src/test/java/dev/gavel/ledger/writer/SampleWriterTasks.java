package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Creates ledgers, writers and simple propose and fulfil tasks for tests of the ledger writer. */
final class SampleWriterTasks {
    static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private SampleWriterTasks() {}

    static SqliteLedger open(Path file) {
        return switch (SqliteLedger.open(file, SqliteOptions.DEFAULT.busyTimeout(Duration.ofMillis(50)))) {
            case SqliteOpenResult.Opened(SqliteLedger ledger) -> ledger;
            case SqliteOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    static LedgerWriter writer(LedgerStore store) {
        return new LedgerWriter(store, () -> NOW, WriterOptions.DEFAULT);
    }

    static <R> CompletableFuture<WriteResult<R>> submit(LedgerWriter writer, String stream, WriterTask<R> task) {
        CompletableFuture<WriteResult<R>> writeResult = new CompletableFuture<>();
        writer.submit(stream, task, writeResult::complete);
        return writeResult;
    }

    /** Proposes, unless the same envelope has already done so. */
    static WriterTask<String> propose(String subject, String envelope) {
        return writerTaskContext -> {
            if (writerTaskContext.findByReference(envelope).isPresent()) {
                return TaskDecision.withoutEvents("again");
            }
            LedgerEvent event =
                    writerTaskContext.createEvent(subject, "proposed", "agent", envelope, LedgerBody.of("{}"));
            return TaskDecision.ofEvent("proposed", event, open(event));
        };
    }

    /** Fulfils a proposal that is still open. */
    static WriterTask<String> fulfil(String subject, String by) {
        return writerTaskContext -> {
            Optional<SubjectSummary> summary = writerTaskContext.summary(subject);
            if (summary.isEmpty()) {
                return TaskDecision.withoutEvents("unknown");
            }
            if (!summary.get().open()) {
                return TaskDecision.withoutEvents("closed");
            }
            LedgerEvent event =
                    writerTaskContext.createEvent(subject, "fulfilled", by, by + "/" + subject, LedgerBody.of("{}"));
            return TaskDecision.ofEvent("fulfilled", event, ended(event));
        };
    }

    static SubjectSummary open(LedgerEvent last) {
        return new SubjectSummary(
                last.stream(), last.subject(), "open", true, "agent", null, NOW, null, last.seq(), LedgerBody.of("{}"));
    }

    static SubjectSummary ended(LedgerEvent last) {
        return new SubjectSummary(
                last.stream(),
                last.subject(),
                "fulfilled",
                false,
                "agent",
                null,
                NOW,
                last.at(),
                last.seq(),
                LedgerBody.of("{}"));
    }

    static SubjectSummary summarise(List<LedgerEvent> history) {
        LedgerEvent last = history.getLast();
        return last.type().equals("fulfilled") ? ended(last) : open(last);
    }
}
