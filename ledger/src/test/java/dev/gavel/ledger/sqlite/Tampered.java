package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.Samples.START;
import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.ended;
import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.audit.Audit;
import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Finding;
import dev.gavel.ledger.audit.Noted;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A ledger's file that somebody changes behind Gavel's back, and what verifying it then says. */
final class Tampered {
    private final Path file;

    Tampered(Path directory) {
        this.file = directory.resolve("ledger.db");
    }

    /** Events 1 to 9 of 'ops' are of p1 to p9, and 1 to 3 of 'lab' all of p1. */
    static Tampered filled(Path directory) {
        Tampered filled = new Tampered(directory);
        filled.with(store -> {
            for (int seq = 1; seq <= 9; seq++) {
                Event event = event("ops", seq, "p" + seq);
                append(store, event, opened(event));
            }
            for (int seq = 1; seq <= 3; seq++) {
                Event event = event("lab", seq, "p1");
                append(store, event, opened(event));
            }
        });
        assertThat(filled.found("ops")).isEmpty();
        assertThat(filled.found("lab")).isEmpty();
        return filled;
    }

    Path file() {
        return file;
    }

    void with(Consumer<SqliteLedger> work) {
        switch (SqliteLedger.open(file, SqliteOptions.DEFAULT)) {
            case Opening.Opened(SqliteLedger ledger) -> {
                try (ledger) {
                    work.accept(ledger);
                }
            }
            case Opening.Refused(String reason) -> throw new AssertionError(reason);
        }
    }

    void write(Event event, Summary summary) {
        with(ledger -> append(ledger, event, summary));
    }

    void prune() {
        with(ledger -> ledger.prune(Instant.MAX, 100));
    }

    /** All in one transaction, as whoever does such a thing would. */
    void sql(String... statements) {
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

    Audited audited(String stream, Noted... noted) {
        return switch (SqliteView.open(file, SqliteOptions.DEFAULT)) {
            case Viewing.Opened(SqliteView view) -> {
                try (view) {
                    yield Audit.verify(view, stream, List.of(noted), () -> {});
                }
            }
            case Viewing.Refused(String reason) -> throw new AssertionError(reason);
        };
    }

    long lostStreams() {
        List<Long> lost = new ArrayList<>();
        with(ledger -> lost.add(ledger.lostStreams()));
        return lost.getFirst();
    }

    /** What is found in a stream, as {@code KIND seq subject}. */
    List<String> found(String stream) {
        return audited(stream).findings().stream().map(Tampered::brief).toList();
    }

    private static String brief(Finding finding) {
        return finding.kind() + " " + finding.seq() + (finding.subject() == null ? "" : " " + finding.subject());
    }

    /** Lets retention forget the subjects of these events; each ends with one event more. */
    void forget(int... seqs) {
        long last = 9;
        for (int seq : seqs) {
            Event end = event("ops", ++last, "p" + seq);
            write(end, ended(end, START));
        }
        prune();
    }

    Hash hash(long seq) {
        List<Hash> found = new ArrayList<>();
        with(store -> store.export(each -> {
            if (each.event().stream().equals("ops") && each.event().seq() == seq && each.hash() != null) {
                found.add(each.hash());
            }
        }));
        return found.getFirst();
    }
}
