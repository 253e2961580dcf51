package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.SampleEvents.START;
import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.EpochMicros;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.audit.AuditFinding;
import dev.gavel.ledger.audit.StreamAuditResult;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the audit names events that were edited, removed, reordered or inserted. Events 1 to 9 of 'ops' belong to
 * the subjects p1 to p9.
 */
class EventTamperingTest {
    @TempDir
    Path directory;

    private TamperedLedger ledger;

    @BeforeEach
    void fill() {
        ledger = TamperedLedger.filled(directory);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "at = at + 1",
                "subject = 1",
                "type = 'fulfilled'",
                "type = ''",
                "actor = 'mallory'",
                "reference = 'other'",
                "reference = NULL",
                "reference = ''",
                "body = x'7b7d'",
                "body = x''",
                "digest = x''",
                "digest = zeroblob(32)",
                "hash = x''",
                "hash = zeroblob(32)",
                "hash = (SELECT hash FROM event o WHERE o.stream = event.stream AND o.seq = 4)",
            })
    void anEditedColumnIsNamed(String change) {
        for (int seq : new int[] {2, 5, 9}) {
            ledger.executeSql(
                    "CREATE TABLE was AS SELECT * FROM event",
                    "UPDATE event SET " + change + " WHERE stream = 1 AND seq = " + seq);
            String subject = change.startsWith("subject") ? "p1" : "p" + seq;
            assertThat(ledger.findings("ops")).containsExactly("EDITED " + seq + " " + subject);
            assertThat(ledger.findings("lab")).isEmpty();
            ledger.executeSql("DELETE FROM event", "INSERT INTO event SELECT * FROM was", "DROP TABLE was");
        }
    }

    @Test
    void anEditSaysWhatIsThereNow() {
        ledger.executeSql("UPDATE event SET actor = 'mallory' WHERE stream = 1 AND seq = 5");
        assertThat(ledger.audit("ops").findings())
                .containsExactly(new AuditFinding(
                        "ops",
                        5,
                        "p5",
                        AuditFinding.Kind.EDITED,
                        "it is not what was written; it is now 'proposed' by 'mallory'"));
    }

    @Test
    void anEditWithItsDigestIsABreak() {
        ledger.executeSql(
                "UPDATE event SET (type, digest) = (SELECT type, digest FROM event WHERE stream = 1 AND seq = 3)"
                        + ", body = x'7b7d' WHERE stream = 1 AND seq = 5");
        assertThat(ledger.findings("ops")).containsExactly("EDITED 5 p5");
        LedgerEvent forged = new LedgerEvent(
                "ops",
                5,
                START,
                "p5",
                "rejected",
                "mallory",
                null,
                event("ops", 5, "p5").body());
        Hash digest = HashChainCalculator.digest(forged);
        ledger.executeSql(
                "UPDATE event SET at = %d, type = 'rejected', actor = 'mallory', reference = NULL, body = x'%s', digest = x'%s' WHERE stream = 1 AND seq = 5"
                        .formatted(
                                EpochMicros.of(START),
                                HexFormat.of().formatHex(forged.body().bytes()),
                                digest));
        assertThat(ledger.findings("ops")).containsExactly("BROKEN 5 p5");
        Hash hash = HashChainCalculator.nextHash(ledger.hash(4), 5, digest);
        ledger.executeSql("UPDATE event SET hash = x'%s' WHERE stream = 1 AND seq = 5".formatted(hash));
        assertThat(ledger.findings("ops")).containsExactly("BROKEN 6 p6");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 5, 8, 9})
    void aDeletedEventIsNamed(long seq) {
        ledger.executeSql("DELETE FROM event WHERE stream = 1 AND seq = " + seq);
        assertThat(ledger.findings("ops")).containsExactly("MISSING " + seq);
        assertThat(ledger.audit("ops").events()).isEqualTo(8);
    }

    @Test
    void severalDeletedEventsAreNamedTogether() {
        ledger.executeSql("DELETE FROM event WHERE stream = 1 AND seq BETWEEN 3 AND 6");
        assertThat(ledger.audit("ops").findings())
                .extracting(AuditFinding::detail)
                .containsExactly("the events 3 to 6 are missing, and retention did not delete them");
    }

    @Test
    void aDeletedEventIsNamedAlsoBesideForgottenOnes() {
        ledger.pruneSubjects(4, 6);
        assertThat(ledger.findings("ops")).isEmpty();
        ledger.executeSql("DELETE FROM event WHERE stream = 1 AND seq IN (3, 5, 7)");
        assertThat(ledger.findings("ops")).containsExactly("MISSING 3", "MISSING 5", "MISSING 7");
    }

    @Test
    void allEventsGoneAreNamed() {
        ledger.executeSql("DELETE FROM event WHERE stream = 1");
        assertThat(ledger.findings("ops")).containsExactly("MISSING 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3,4", "3,5", "1,9", "8,9", "1,2", "2,7"})
    void twoEventsThatChangedPlacesAreNamedWithTheirPlaces(String pair) {
        long one = Long.parseLong(pair.substring(0, 1));
        long other = Long.parseLong(pair.substring(2));
        move(one, 100);
        move(other, one);
        move(100, other);
        assertThat(ledger.audit("ops").findings())
                .extracting(finding -> finding.kind() + " " + finding.seq() + " " + finding.detail())
                .containsExactly(
                        "REORDERED " + one + " it was written as seq " + other,
                        "REORDERED " + other + " it was written as seq " + one);
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 11, 5000})
    void anEventMovedBehindTheEndIsNamedWithItsPlace(long to) {
        move(5, to);
        assertThat(ledger.audit("ops").findings())
                .extracting(finding -> finding.kind() + " " + finding.seq() + " " + finding.detail())
                .containsExactly("REORDERED " + to + " it was written as seq 5");
    }

    @Test
    void anEventMovedForwardPushesTheOthersBack() {
        move(7, 100);
        for (long seq = 6; seq >= 3; seq--) {
            move(seq, seq + 1);
        }
        move(100, 3);
        assertThat(ledger.audit("ops").findings())
                .extracting(finding -> finding.kind() + " " + finding.seq() + " " + finding.detail())
                .containsExactly(
                        "REORDERED 3 it was written as seq 7",
                        "REORDERED 4 it was written as seq 3",
                        "REORDERED 5 it was written as seq 4",
                        "REORDERED 6 it was written as seq 5",
                        "REORDERED 7 it was written as seq 6");
    }

    @Test
    void anEventMovedToAnotherStreamIsNamedInBoth() {
        ledger.executeSql("UPDATE event SET stream = 2, seq = 4 WHERE stream = 1 AND seq = 5");
        assertThat(ledger.findings("ops")).containsExactly("MISSING 5");
        assertThat(ledger.findings("lab")).containsExactly("EDITED 4");
    }

    @Test
    void anInsertedEventIsNamedBehindTheEndAndInTheMiddle() {
        insert(10, null);
        assertThat(ledger.findings("ops")).containsExactly("INSERTED 10 p1");
        ledger.executeSql("DELETE FROM event WHERE seq = 10");
        for (long seq = 9; seq >= 5; seq--) {
            move(seq, seq + 1);
        }
        insert(5, null);
        ledger.executeSql("UPDATE stream SET last_seq = 10 WHERE id = 1");
        assertThat(ledger.findings("ops"))
                .containsExactly(
                        "INSERTED 5 p1",
                        "REORDERED 6 p5",
                        "REORDERED 7 p6",
                        "REORDERED 8 p7",
                        "REORDERED 9 p8",
                        "REORDERED 10 p9");
        assertThat(ledger.audit("ops").findings().get(1).detail()).isEqualTo("it was written as seq 5");
    }

    @Test
    void anInsertedEventIsNamedWhateverItsHash() {
        ledger.executeSql("DELETE FROM event WHERE stream = 1 AND seq = 5");
        insert(5, HashChainCalculator.GENESIS_HASH);
        assertThat(ledger.findings("ops")).containsExactly("INSERTED 5 p1");
    }

    @Test
    void anEventAmongForgottenOnesIsInserted() {
        ledger.pruneSubjects(4, 5);
        insert(4, null);
        assertThat(ledger.findings("ops")).containsExactly("INSERTED 4 p1");
    }

    @Test
    void aRowThatCanBeNoEventIsNamed() {
        ledger.executeSql("DELETE FROM subject WHERE id = 5");
        assertThat(ledger.findings("ops")).containsExactly("EDITED 5");
        move(9, -3);
        assertThat(ledger.findings("ops")).containsExactly("INSERTED -3", "EDITED 5", "MISSING 9");
    }

    @Test
    void aRenamedSubjectIsAnEditOfItsEvents() {
        ledger.executeSql("UPDATE subject SET name = 'other' WHERE id = 5");
        assertThat(ledger.findings("ops")).containsExactly("EDITED 5 other");
        ledger.executeSql("UPDATE stream SET name = 'elsewhere' WHERE id = 2");
        assertThat(ledger.findings("elsewhere")).containsExactly("EDITED 1 p1", "EDITED 2 p1", "EDITED 3 p1");
    }

    @Test
    void manyFindingsAreCountedNotKept() {
        ledger.withLedger(store -> {
            for (int seq = 10; seq <= 400; seq++) {
                LedgerEvent event = event("ops", seq, "q");
                append(store, event, opened(event));
            }
        });
        ledger.executeSql("UPDATE event SET actor = 'mallory' WHERE stream = 1");
        StreamAuditResult streamAuditResult = ledger.audit("ops");
        assertThat(streamAuditResult.findings()).hasSize(100);
        assertThat(streamAuditResult.moreFindings()).isEqualTo(300);
        ledger.executeSql("UPDATE event SET actor = 'agent', hash = zeroblob(32) WHERE stream = 1");
        streamAuditResult = ledger.audit("ops");
        assertThat(streamAuditResult.findings().size() + streamAuditResult.moreFindings())
                .isEqualTo(400);
    }

    private void move(long from, long to) {
        ledger.executeSql("UPDATE event SET seq = %d WHERE stream = 1 AND seq = %d".formatted(to, from));
    }

    /** Inserts an event of p1 that the writer never wrote, with a correct digest. */
    private void insert(long seq, @Nullable Hash hash) {
        LedgerEvent forged = new LedgerEvent(
                "ops",
                seq,
                START,
                "p1",
                "fulfilled",
                "mallory",
                null,
                event("ops", 1, "p1").body());
        ledger.executeSql("INSERT INTO event (stream, seq, at, subject, type, actor, body, digest, hash)"
                + " VALUES (1, %d, %d, 1, 'fulfilled', 'mallory', x'%s', x'%s', x'%s')"
                        .formatted(
                                seq,
                                EpochMicros.of(START),
                                HexFormat.of().formatHex(forged.body().bytes()),
                                HashChainCalculator.digest(forged),
                                hash == null ? "" : hash));
    }
}
