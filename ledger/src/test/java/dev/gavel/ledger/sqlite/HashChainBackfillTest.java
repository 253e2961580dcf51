package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.EpochMicros;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.audit.StreamAuditResult;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the migration of a ledger without a hash chain: events 1 to 1400 of 'ops', some of which were pruned. */
class HashChainBackfillTest {
    private static final long LAST = 1400;

    @TempDir
    Path directory;

    private TamperedLedger ledger;
    private final List<LedgerEvent> retainedEvents = new ArrayList<>();

    @BeforeEach
    void fill() throws SQLException {
        ledger = new TamperedLedger(directory);
        try (SqliteSession session = SqliteSession.forWriting(ledger.file(), SqliteOptions.DEFAULT)) {
            new SqliteMigrations(SqliteMigrations.ALL.steps().subList(0, 1)).apply(session);
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
        ledger.withLedger(store -> {});
        StreamAuditResult streamAuditResult = ledger.audit("ops");
        assertThat(streamAuditResult.findings()).isEmpty();
        assertThat(streamAuditResult.events()).isEqualTo(retainedEvents.size());
        assertThat(streamAuditResult.prunedEvents()).isEqualTo(103);
        Hash head = HashChainCalculator.GENESIS_HASH;
        for (LedgerEvent event : retainedEvents) {
            head = HashChainCalculator.nextHash(head, event.seq(), HashChainCalculator.digest(event));
        }
        assertThat(streamAuditResult.head()).isEqualTo(head);
        StreamAuditResult lab = ledger.audit("lab");
        assertThat(lab.findings()).isEmpty();
        assertThat(lab.prunedEvents()).isEqualTo(3);
        LedgerEvent next = event("ops", LAST + 1, "p1");
        ledger.write(next, opened(next));
        assertThat(ledger.findings("ops")).isEmpty();
        ledger.executeSql("UPDATE event SET actor = 'mallory' WHERE seq = 700");
        assertThat(ledger.findings("ops")).containsExactly("EDITED 700 p1");
    }

    @Test
    void whatWasMissingBeforeIsStillFound() {
        ledger.executeSql("DELETE FROM event WHERE seq IN (800, 1400)", "UPDATE event SET subject = 99 WHERE seq = 2");
        ledger.withLedger(store -> {});
        assertThat(ledger.findings("ops")).containsExactly("EDITED 2", "MISSING 800", "MISSING 1400");
    }

    @Test
    void aFileThatWasNotBroughtUpToDateIsNotRead() {
        assertThat(SqliteReadOnlyLedger.open(ledger.file(), SqliteOptions.DEFAULT))
                .isInstanceOfSatisfying(
                        SqliteReadOnlyOpenResult.Refused.class,
                        refused -> assertThat(refused.reason())
                                .contains("older version of Gavel", "Start the server with it once"));
    }

    private void insert(SqliteSession session, LedgerEvent event) throws SQLException {
        retainedEvents.add(event);
        session.update(
                "INSERT INTO event (stream, seq, at, subject, type, actor, reference, body) VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
                event.seq(),
                EpochMicros.of(event.at()),
                event.seq() % 3 + 1,
                event.type(),
                event.actor(),
                event.reference(),
                event.body().bytes());
    }
}
