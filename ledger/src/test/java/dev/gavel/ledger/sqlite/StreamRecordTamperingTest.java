package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.audit.AuditFinding;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.audit.TrustedHead;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the audit detects changes of stream rows, pruned ranges and recorded heads. */
class StreamRecordTamperingTest {
    @TempDir
    Path directory;

    private TamperedLedger ledger;

    @BeforeEach
    void fill() {
        ledger = TamperedLedger.filled(directory);
    }

    @Test
    void aStreamTakenFromTheListIsLost() {
        assertThat(ledger.missingStreamCount()).isZero();
        ledger.executeSql("DELETE FROM stream WHERE id = 1");
        assertThat(ledger.missingStreamCount()).isEqualTo(1);
        ledger.executeSql("DELETE FROM event WHERE stream = 1", "DELETE FROM subject WHERE stream = 1");
        assertThat(ledger.missingStreamCount()).isEqualTo(1);
        ledger.executeSql("DELETE FROM stream WHERE id = 2");
        assertThat(ledger.missingStreamCount()).isEqualTo(2);
    }

    @Test
    void aChangedRecordOfTheStreamIsNamed() {
        ledger.executeSql("UPDATE stream SET head = zeroblob(32) WHERE id = 1");
        assertThat(ledger.findings("ops")).containsExactly("HEAD 9");
        ledger.executeSql("UPDATE stream SET head = x'' WHERE id = 1");
        assertThat(ledger.findings("ops")).containsExactly("HEAD 9");
        ledger.executeSql("UPDATE stream SET head = x'%s', first_seq = 4 WHERE id = 1".formatted(ledger.hash(9)));
        assertThat(ledger.findings("ops")).containsExactly("HEAD 4");
        ledger.executeSql("UPDATE stream SET first_seq = 1, last_seq = 12 WHERE id = 1");
        assertThat(ledger.findings("ops")).containsExactly("MISSING 10");
        ledger.executeSql("UPDATE stream SET last_seq = %d WHERE id = 1".formatted(Long.MAX_VALUE));
        assertThat(ledger.findings("ops")).containsExactly("MISSING 10");
        ledger.executeSql("UPDATE stream SET last_seq = 8 WHERE id = 1");
        assertThat(ledger.findings("ops")).containsExactly("HEAD 8", "HEAD 9 p9");
        ledger.executeSql("UPDATE stream SET last_seq = 9 WHERE id = 1");
        assertThat(ledger.findings("ops")).isEmpty();
    }

    @Test
    void writingGoesOnAfterADestroyedHeadAndTheBreakStays() {
        ledger.executeSql("UPDATE stream SET head = x'' WHERE id = 1");
        LedgerEvent next = event("ops", 10, "p10");
        ledger.write(next, opened(next));
        assertThat(ledger.findings("ops")).containsExactly("BROKEN 10 p10");
    }

    @Test
    void changesToWhatIsKeptOfForgottenEventsAreNamed() {
        ledger.pruneSubjects(4, 5);
        assertThat(ledger.findings("ops")).isEmpty();
        ledger.executeSql("CREATE TABLE was AS SELECT * FROM forgotten");
        for (String[] change : new String[][] {
            {"UPDATE forgotten SET hash = zeroblob(32) WHERE last_seq = 5", "BROKEN 6 p6"},
            {"UPDATE forgotten SET hash = x'' WHERE last_seq = 5", "EDITED 5"},
            {"UPDATE forgotten SET hash = x'00' WHERE last_seq = 11", "EDITED 11"},
            {"UPDATE forgotten SET first_seq = 5 WHERE last_seq = 5", "MISSING 4"},
            {"UPDATE forgotten SET first_seq = 3 WHERE last_seq = 5", "INSERTED 3 p3"},
            {"UPDATE forgotten SET first_seq = 99 WHERE last_seq = 5", "MISSING 4"},
            {"DELETE FROM forgotten WHERE last_seq = 5", "MISSING 4"},
            {"UPDATE forgotten SET last_seq = 4 WHERE last_seq = 5", "MISSING 5"},
            {"UPDATE forgotten SET last_seq = 6 WHERE last_seq = 5", "INSERTED 6 p6", "BROKEN 7 p7"},
            {"UPDATE forgotten SET hash = zeroblob(32) WHERE last_seq = 11", "HEAD 11"},
        }) {
            ledger.executeSql(change[0]);
            assertThat(ledger.findings("ops"))
                    .as(change[0])
                    .containsExactlyElementsOf(List.of(change).subList(1, change.length));
            ledger.executeSql("DELETE FROM forgotten", "INSERT INTO forgotten SELECT * FROM was");
        }
    }

    @Test
    void hashesOfForgottenEventsThatChangedPlacesAreBreaks() {
        ledger.pruneSubjects(3, 6);
        ledger.executeSql(
                "CREATE TABLE was AS SELECT * FROM forgotten",
                "UPDATE forgotten SET hash = (SELECT hash FROM was WHERE last_seq = 9 - forgotten.last_seq) WHERE last_seq < 9");
        assertThat(ledger.findings("ops")).containsExactly("BROKEN 4 p4", "BROKEN 7 p7");
    }

    @Test
    void aTailCutWithTheRecordOfTheEndIsFoundByANotedEndAlone() {
        TrustedHead trustedHead = new TrustedHead("ops", 9, ledger.hash(9));
        TrustedHead before = new TrustedHead("ops", 7, ledger.hash(7));
        ledger.executeSql(
                "DELETE FROM event WHERE stream = 1 AND seq > 7",
                "UPDATE stream SET last_seq = 7, head = x'%s' WHERE id = 1".formatted(ledger.hash(7)));
        assertThat(ledger.findings("ops")).isEmpty();
        StreamAuditResult streamAuditResult = ledger.audit("ops", trustedHead, before);
        assertThat(streamAuditResult.findings()).extracting(AuditFinding::seq).containsExactly(9L);
        assertThat(streamAuditResult.comparedHeads())
                .containsExactlyInAnyOrder(
                        new TrustedHead.Comparison(before, TrustedHead.Result.RIGHT),
                        new TrustedHead.Comparison(trustedHead, TrustedHead.Result.WRONG));
    }

    @Test
    void aLedgerHashedAnewThroughoutIsFoundByANotedEndAlone() {
        TrustedHead trustedHead = new TrustedHead("ops", 9, ledger.hash(9));
        ledger.executeSql("UPDATE event SET actor = 'mallory' WHERE stream = 1 AND seq = 2");
        rehash();
        assertThat(ledger.findings("ops")).isEmpty();
        assertThat(ledger.audit("ops", trustedHead).findings())
                .extracting(AuditFinding::kind)
                .containsExactly(AuditFinding.Kind.HEAD);
    }

    private void rehash() {
        try (SqliteSession session = SqliteSession.forWriting(ledger.file(), SqliteOptions.DEFAULT)) {
            HashChainBackfill.backfill(session);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
