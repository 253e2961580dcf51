package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.SampleEvents.START;
import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.ended;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.audit.AuditFinding;
import dev.gavel.ledger.audit.HashChainVerifier;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.audit.TrustedHead;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A SQLite ledger file that tests change by direct SQL and then audit. */
final class TamperedLedger {
    private final Path file;

    TamperedLedger(Path directory) {
        this.file = directory.resolve("ledger.db");
    }

    /** Events 1 to 9 of 'ops' belong to p1 to p9, and events 1 to 3 of 'lab' all belong to p1. */
    static TamperedLedger filled(Path directory) {
        TamperedLedger filled = new TamperedLedger(directory);
        filled.withLedger(store -> {
            for (int seq = 1; seq <= 9; seq++) {
                LedgerEvent event = event("ops", seq, "p" + seq);
                append(store, event, opened(event));
            }
            for (int seq = 1; seq <= 3; seq++) {
                LedgerEvent event = event("lab", seq, "p1");
                append(store, event, opened(event));
            }
        });
        assertThat(filled.findings("ops")).isEmpty();
        assertThat(filled.findings("lab")).isEmpty();
        return filled;
    }

    Path file() {
        return file;
    }

    void withLedger(Consumer<SqliteLedger> work) {
        switch (SqliteLedger.open(file, SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Opened(SqliteLedger ledger) -> {
                try (ledger) {
                    work.accept(ledger);
                }
            }
            case SqliteOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        }
    }

    void write(LedgerEvent event, SubjectSummary summary) {
        withLedger(ledger -> append(ledger, event, summary));
    }

    void prune() {
        withLedger(ledger -> ledger.prune(Instant.MAX, 100));
    }

    /** Runs all statements in one transaction, as an attacker would. */
    void executeSql(String... statements) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("BEGIN");
            for (String each : statements) {
                statement.executeUpdate(each);
            }
            statement.executeUpdate("COMMIT");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    StreamAuditResult audit(String stream, TrustedHead... recorded) {
        return switch (SqliteReadOnlyLedger.open(file, SqliteOptions.DEFAULT)) {
            case SqliteReadOnlyOpenResult.Opened(SqliteReadOnlyLedger view) -> {
                try (view) {
                    yield HashChainVerifier.verify(view, stream, List.of(recorded), () -> {});
                }
            }
            case SqliteReadOnlyOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    long missingStreamCount() {
        List<Long> lost = new ArrayList<>();
        withLedger(ledger -> lost.add(ledger.missingStreamCount()));
        return lost.getFirst();
    }

    /** Returns the findings in a stream, as {@code KIND seq subject}. */
    List<String> findings(String stream) {
        return audit(stream).findings().stream().map(TamperedLedger::brief).toList();
    }

    private static String brief(AuditFinding finding) {
        return finding.kind() + " " + finding.seq() + (finding.subject() == null ? "" : " " + finding.subject());
    }

    /** Prunes the subjects of these events, after ending each with one more event. */
    void pruneSubjects(int... seqs) {
        long last = 9;
        for (int seq : seqs) {
            LedgerEvent end = event("ops", ++last, "p" + seq);
            write(end, ended(end, START));
        }
        prune();
    }

    Hash hash(long seq) {
        List<Hash> found = new ArrayList<>();
        withLedger(store -> store.export(each -> {
            if (each.event().stream().equals("ops") && each.event().seq() == seq && each.hash() != null) {
                found.add(each.hash());
            }
        }));
        return found.getFirst();
    }
}
