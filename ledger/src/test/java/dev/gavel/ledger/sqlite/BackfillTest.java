package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Chain;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.Micros;
import dev.gavel.ledger.audit.Audited;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger from before there was a chain: events 1 to 1400 of 'ops', of which retention has forgotten some. */
class BackfillTest {
    private static final long LAST = 1400;

    @TempDir
    Path directory;

    private Tampered ledger;
    private final List<Event> kept = new ArrayList<>();

    @BeforeEach
    void fill() throws SQLException {
        ledger = new Tampered(directory);
        try (Session session = Session.forWriting(ledger.file(), SqliteOptions.DEFAULT)) {
            new Migrations(Migrations.ALL.steps().subList(0, 1)).apply(session);
            session.execute("BEGIN");
            session.execute("INSERT INTO stream (name, first_seq, last_seq) VALUES ('ops', 601, 1400), ('lab', 4, 3)");
            session.execute("INSERT INTO subject (stream, name) VALUES (1, 'p0'), (1, 'p1'), (1, 'p2')");
            for (long seq = 1; seq <= LAST; seq++) {
                if (seq != 1 && seq != 7 && (seq < 500 || seq > 600)) {
                    insert(session, event("ops", seq, "p" + seq % 3));
                }
            }
            session.execute("COMMIT");
        }
    }

    @Test
    void olderEventsGetTheirPlacesInTheChain() {
        ledger.with(store -> {});
        Audited audited = ledger.audited("ops");
        assertThat(audited.findings()).isEmpty();
        assertThat(audited.events()).isEqualTo(kept.size());
        assertThat(audited.forgotten()).isEqualTo(103);
        Hash head = Chain.START;
        for (Event event : kept) {
            head = Chain.next(head, event.seq(), Chain.digest(event));
        }
        assertThat(audited.head()).isEqualTo(head);
        Audited lab = ledger.audited("lab");
        assertThat(lab.findings()).isEmpty();
        assertThat(lab.forgotten()).isEqualTo(3);
        Event next = event("ops", LAST + 1, "p1");
        ledger.write(next, opened(next));
        assertThat(ledger.found("ops")).isEmpty();
        ledger.sql("UPDATE event SET actor = 'mallory' WHERE seq = 700");
        assertThat(ledger.found("ops")).containsExactly("EDITED 700 p1");
    }

    @Test
    void whatWasMissingBeforeIsStillFound() {
        ledger.sql("DELETE FROM event WHERE seq IN (800, 1400)", "UPDATE event SET subject = 99 WHERE seq = 2");
        ledger.with(store -> {});
        assertThat(ledger.found("ops")).containsExactly("EDITED 2", "MISSING 800", "MISSING 1400");
    }

    @Test
    void aFileThatWasNotBroughtUpToDateIsNotRead() {
        assertThat(SqliteView.open(ledger.file(), SqliteOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        Viewing.Refused.class,
                        refused -> assertThat(refused.reason()).contains("older Gavel", "Start the server on it once"));
    }

    private void insert(Session session, Event event) throws SQLException {
        kept.add(event);
        session.update(
                "INSERT INTO event (stream, seq, at, subject, type, actor, reference, body) VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
                event.seq(),
                Micros.of(event.at()),
                event.seq() % 3 + 1,
                event.type(),
                event.actor(),
                event.reference(),
                event.body().bytes());
    }
}
