package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Finding;
import dev.gavel.ledger.audit.Noted;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes to what is kept besides the events: streams, and what is left of forgotten events. */
class TamperingWithRecordsTest {
    @TempDir
    Path directory;

    private Tampered ledger;

    @BeforeEach
    void fill() {
        ledger = Tampered.filled(directory);
    }

    @Test
    void aStreamTakenFromTheListIsLost() {
        assertThat(ledger.lostStreams()).isZero();
        ledger.sql("DELETE FROM stream WHERE id = 1");
        assertThat(ledger.lostStreams()).isEqualTo(1);
        ledger.sql("DELETE FROM event WHERE stream = 1", "DELETE FROM subject WHERE stream = 1");
        assertThat(ledger.lostStreams()).isEqualTo(1);
        ledger.sql("DELETE FROM stream WHERE id = 2");
        assertThat(ledger.lostStreams()).isEqualTo(2);
    }

    @Test
    void aChangedRecordOfTheStreamIsNamed() {
        ledger.sql("UPDATE stream SET head = zeroblob(32) WHERE id = 1");
        assertThat(ledger.found("ops")).containsExactly("HEAD 9");
        ledger.sql("UPDATE stream SET head = x'' WHERE id = 1");
        assertThat(ledger.found("ops")).containsExactly("HEAD 9");
        ledger.sql("UPDATE stream SET head = x'%s', first_seq = 4 WHERE id = 1".formatted(ledger.hash(9)));
        assertThat(ledger.found("ops")).containsExactly("HEAD 4");
        ledger.sql("UPDATE stream SET first_seq = 1, last_seq = 12 WHERE id = 1");
        assertThat(ledger.found("ops")).containsExactly("MISSING 10");
        ledger.sql("UPDATE stream SET last_seq = %d WHERE id = 1".formatted(Long.MAX_VALUE));
        assertThat(ledger.found("ops")).containsExactly("MISSING 10");
        ledger.sql("UPDATE stream SET last_seq = 8 WHERE id = 1");
        assertThat(ledger.found("ops")).containsExactly("HEAD 8", "HEAD 9 p9");
        ledger.sql("UPDATE stream SET last_seq = 9 WHERE id = 1");
        assertThat(ledger.found("ops")).isEmpty();
    }

    @Test
    void writingGoesOnAfterADestroyedHeadAndTheBreakStays() {
        ledger.sql("UPDATE stream SET head = x'' WHERE id = 1");
        Event next = event("ops", 10, "p10");
        ledger.write(next, opened(next));
        assertThat(ledger.found("ops")).containsExactly("BROKEN 10 p10");
    }

    @Test
    void changesToWhatIsKeptOfForgottenEventsAreNamed() {
        ledger.forget(4, 5);
        assertThat(ledger.found("ops")).isEmpty();
        ledger.sql("CREATE TABLE was AS SELECT * FROM forgotten");
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
            ledger.sql(change[0]);
            assertThat(ledger.found("ops"))
                    .as(change[0])
                    .containsExactlyElementsOf(List.of(change).subList(1, change.length));
            ledger.sql("DELETE FROM forgotten", "INSERT INTO forgotten SELECT * FROM was");
        }
    }

    @Test
    void hashesOfForgottenEventsThatChangedPlacesAreBreaks() {
        ledger.forget(3, 6);
        ledger.sql(
                "CREATE TABLE was AS SELECT * FROM forgotten",
                "UPDATE forgotten SET hash = (SELECT hash FROM was WHERE last_seq = 9 - forgotten.last_seq) WHERE last_seq < 9");
        assertThat(ledger.found("ops")).containsExactly("BROKEN 4 p4", "BROKEN 7 p7");
    }

    @Test
    void aTailCutWithTheRecordOfTheEndIsFoundByANotedEndAlone() {
        Noted noted = new Noted("ops", 9, ledger.hash(9));
        Noted before = new Noted("ops", 7, ledger.hash(7));
        ledger.sql(
                "DELETE FROM event WHERE stream = 1 AND seq > 7",
                "UPDATE stream SET last_seq = 7, head = x'%s' WHERE id = 1".formatted(ledger.hash(7)));
        assertThat(ledger.found("ops")).isEmpty();
        Audited audited = ledger.audited("ops", noted, before);
        assertThat(audited.findings()).extracting(Finding::seq).containsExactly(9L);
        assertThat(audited.noted())
                .containsExactlyInAnyOrder(
                        new Noted.Checked(before, Noted.Result.RIGHT), new Noted.Checked(noted, Noted.Result.WRONG));
    }

    @Test
    void aLedgerHashedAnewThroughoutIsFoundByANotedEndAlone() {
        Noted noted = new Noted("ops", 9, ledger.hash(9));
        ledger.sql("UPDATE event SET actor = 'mallory' WHERE stream = 1 AND seq = 2");
        rehash();
        assertThat(ledger.found("ops")).isEmpty();
        assertThat(ledger.audited("ops", noted).findings())
                .extracting(Finding::kind)
                .containsExactly(Finding.Kind.HEAD);
    }

    private void rehash() {
        try (Session session = Session.forWriting(ledger.file(), SqliteOptions.DEFAULT)) {
            Backfill.chain(session);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
