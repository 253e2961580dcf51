package dev.gavel.ledger.writer;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A small life of proposals to try the writer with: they are proposed, and fulfilled once. */
final class Desk {
    static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private Desk() {}

    static SqliteLedger open(Path file) {
        return switch (SqliteLedger.open(file, SqliteOptions.DEFAULT.busyTimeout(Duration.ofMillis(50)))) {
            case Opening.Opened(SqliteLedger ledger) -> ledger;
            case Opening.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    static LedgerWriter writer(LedgerStore store) {
        return new LedgerWriter(store, () -> NOW, WriterOptions.DEFAULT);
    }

    static <R> CompletableFuture<Outcome<R>> submit(LedgerWriter writer, String stream, Task<R> task) {
        CompletableFuture<Outcome<R>> outcome = new CompletableFuture<>();
        writer.submit(stream, task, outcome::complete);
        return outcome;
    }

    /** Proposes, unless the same envelope did so before. */
    static Task<String> propose(String subject, String envelope) {
        return view -> {
            if (view.byReference(envelope).isPresent()) {
                return Decided.nothing("again");
            }
            Event event = view.event(subject, "proposed", "agent", envelope, Body.of("{}"));
            return Decided.one("proposed", event, open(event));
        };
    }

    /** Fulfils a proposal that is still open. */
    static Task<String> fulfil(String subject, String by) {
        return view -> {
            Optional<Summary> summary = view.summary(subject);
            if (summary.isEmpty()) {
                return Decided.nothing("unknown");
            }
            if (!summary.get().open()) {
                return Decided.nothing("closed");
            }
            Event event = view.event(subject, "fulfilled", by, by + "/" + subject, Body.of("{}"));
            return Decided.one("fulfilled", event, ended(event));
        };
    }

    static Summary open(Event last) {
        return new Summary(
                last.stream(), last.subject(), "open", true, "agent", null, NOW, null, last.seq(), Body.of("{}"));
    }

    static Summary ended(Event last) {
        return new Summary(
                last.stream(),
                last.subject(),
                "fulfilled",
                false,
                "agent",
                null,
                NOW,
                last.at(),
                last.seq(),
                Body.of("{}"));
    }

    static Summary summarise(List<Event> history) {
        Event last = history.getLast();
        return last.type().equals("fulfilled") ? ended(last) : open(last);
    }
}
