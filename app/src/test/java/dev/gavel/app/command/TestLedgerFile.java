package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A SQLite ledger filled with sample proposals for tests of commands. */
final class TestLedgerFile {
    static final Instant START = Instant.parse("2026-01-05T10:00:00Z");

    private TestLedgerFile() {}

    static SqliteLedger open(Path data) {
        return switch (SqliteLedger.open(data.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Opened(SqliteLedger ledger) -> ledger;
            case SqliteOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    /** Appends one open and one withdrawn proposal in 'ops', and one open proposal in 'lab'. */
    static void fill(LedgerStore ledger) {
        append(ledger, proposedEvent("ops", 1, "p1"));
        append(ledger, proposedEvent("ops", 2, "p2"));
        append(ledger, proposedEvent("lab", 1, "p1"));
        append(ledger, event("ops", 3, "p2", "withdrawn", "w-1", """
                {"by":"helper","reference":"w-1"}"""));
        append(ledger, event("ops", 4, "p1", "unreachable", null, """
                {"couldFulfil":["alice"]}"""));
    }

    /** The envelope as sent: on several lines, with both kinds of line breaks. */
    static LedgerEvent proposedEvent(String topic, long seq, String proposal) {
        return event(topic, seq, proposal, "proposed", proposal, """
                {"expiresAt":"2026-01-05T10:15:00Z","envelope":{
                  "from":"helper","ts":"2026-01-05T10:00:00.000Z",\r
                  "protocol":"mcpx/v0.1","id":"%s","kind":"mcp.proposal.tools/call:write_file",
                  "payload":{"method":"tools/call","params":{"name":"write_file",
                    "arguments":{"text":"grün ☂\\n\\r","n":1.50e+2}}}}}""".formatted(proposal));
    }

    static LedgerEvent event(
            String topic, long seq, String proposal, String type, @Nullable String reference, String body) {
        return new LedgerEvent(
                topic, seq, START.plusSeconds(seq), proposal, type, "helper", reference, LedgerBody.of(body));
    }

    /** Appends an event with an incomplete summary, which a rebuild must correct. */
    static void append(LedgerStore ledger, LedgerEvent event) {
        SubjectSummary summary = new SubjectSummary(
                event.stream(),
                event.subject(),
                "unsaid",
                true,
                "nobody",
                null,
                START,
                null,
                event.seq(),
                LedgerBody.of("{}"));
        assertThat(ledger.write(Set.of(event.stream()), reader -> new LedgerBatch(List.of(event), List.of(summary))))
                .isEqualTo(new CommitResult.Committed());
    }
}
