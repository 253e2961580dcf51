package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.Samples.START;
import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Chain;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.Micros;
import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Finding;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way to change the file by hand, and what is named then. Events 1 to 9 of 'ops' are of p1 to p9. */
class TamperingTest {
    @TempDir
    Path directory;

    private Tampered ledger;

    @BeforeEach
    void fill() {
        ledger = Tampered.filled(directory);
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
            ledger.sql(
                    "CREATE TABLE was AS SELECT * FROM event",
                    "UPDATE event SET " + change + " WHERE stream = 1 AND seq = " + seq);
            String subject = change.startsWith("subject") ? "p1" : "p" + seq;
            assertThat(ledger.found("ops")).containsExactly("EDITED " + seq + " " + subject);
            assertThat(ledger.found("lab")).isEmpty();
            ledger.sql("DELETE FROM event", "INSERT INTO event SELECT * FROM was", "DROP TABLE was");
        }
    }

    @Test
    void anEditSaysWhatIsThereNow() {
        ledger.sql("UPDATE event SET actor = 'mallory' WHERE stream = 1 AND seq = 5");
        assertThat(ledger.audited("ops").findings())
                .containsExactly(new Finding(
                        "ops",
                        5,
                        "p5",
                        Finding.Kind.EDITED,
                        "it does not say what was written; it now says 'proposed' by 'mallory'"));
    }

    @Test
    void anEditWithItsDigestIsABreak() {
        ledger.sql("UPDATE event SET (type, digest) = (SELECT type, digest FROM event WHERE stream = 1 AND seq = 3)"
                + ", body = x'7b7d' WHERE stream = 1 AND seq = 5");
        assertThat(ledger.found("ops")).containsExactly("EDITED 5 p5");
        Event forged = new Event(
                "ops",
                5,
                START,
                "p5",
                "rejected",
                "mallory",
                null,
                event("ops", 5, "p5").body());
        Hash digest = Chain.digest(forged);
        ledger.sql(
                "UPDATE event SET at = %d, type = 'rejected', actor = 'mallory', reference = NULL, body = x'%s', digest = x'%s' WHERE stream = 1 AND seq = 5"
                        .formatted(
                                Micros.of(START),
                                HexFormat.of().formatHex(forged.body().bytes()),
                                digest));
        assertThat(ledger.found("ops")).containsExactly("BROKEN 5 p5");
        Hash hash = Chain.next(ledger.hash(4), 5, digest);
        ledger.sql("UPDATE event SET hash = x'%s' WHERE stream = 1 AND seq = 5".formatted(hash));
        assertThat(ledger.found("ops")).containsExactly("BROKEN 6 p6");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 5, 8, 9})
    void aDeletedEventIsNamed(long seq) {
        ledger.sql("DELETE FROM event WHERE stream = 1 AND seq = " + seq);
        assertThat(ledger.found("ops")).containsExactly("MISSING " + seq);
        assertThat(ledger.audited("ops").events()).isEqualTo(8);
    }

    @Test
    void severalDeletedEventsAreNamedTogether() {
        ledger.sql("DELETE FROM event WHERE stream = 1 AND seq BETWEEN 3 AND 6");
        assertThat(ledger.audited("ops").findings())
                .extracting(Finding::detail)
                .containsExactly("there are no events 3 to 6 any more, and retention has not forgotten them");
    }

    @Test
    void aDeletedEventIsNamedAlsoBesideForgottenOnes() {
        ledger.forget(4, 6);
        assertThat(ledger.found("ops")).isEmpty();
        ledger.sql("DELETE FROM event WHERE stream = 1 AND seq IN (3, 5, 7)");
        assertThat(ledger.found("ops")).containsExactly("MISSING 3", "MISSING 5", "MISSING 7");
    }

    @Test
    void allEventsGoneAreNamed() {
        ledger.sql("DELETE FROM event WHERE stream = 1");
        assertThat(ledger.found("ops")).containsExactly("MISSING 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3,4", "3,5", "1,9", "8,9", "1,2", "2,7"})
    void twoEventsThatChangedPlacesAreNamedWithTheirPlaces(String pair) {
        long one = Long.parseLong(pair.substring(0, 1));
        long other = Long.parseLong(pair.substring(2));
        move(one, 100);
        move(other, one);
        move(100, other);
        assertThat(ledger.audited("ops").findings())
                .extracting(finding -> finding.kind() + " " + finding.seq() + " " + finding.detail())
                .containsExactly(
                        "REORDERED " + one + " it was written as seq " + other,
                        "REORDERED " + other + " it was written as seq " + one);
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 11, 5000})
    void anEventMovedBehindTheEndIsNamedWithItsPlace(long to) {
        move(5, to);
        assertThat(ledger.audited("ops").findings())
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
        assertThat(ledger.audited("ops").findings())
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
        ledger.sql("UPDATE event SET stream = 2, seq = 4 WHERE stream = 1 AND seq = 5");
        assertThat(ledger.found("ops")).containsExactly("MISSING 5");
        assertThat(ledger.found("lab")).containsExactly("EDITED 4");
    }

    @Test
    void anInsertedEventIsNamedBehindTheEndAndInTheMiddle() {
        insert(10, null);
        assertThat(ledger.found("ops")).containsExactly("INSERTED 10 p1");
        ledger.sql("DELETE FROM event WHERE seq = 10");
        for (long seq = 9; seq >= 5; seq--) {
            move(seq, seq + 1);
        }
        insert(5, null);
        ledger.sql("UPDATE stream SET last_seq = 10 WHERE id = 1");
        assertThat(ledger.found("ops"))
                .containsExactly(
                        "INSERTED 5 p1",
                        "REORDERED 6 p5",
                        "REORDERED 7 p6",
                        "REORDERED 8 p7",
                        "REORDERED 9 p8",
                        "REORDERED 10 p9");
        assertThat(ledger.audited("ops").findings().get(1).detail()).isEqualTo("it was written as seq 5");
    }

    @Test
    void anInsertedEventIsNamedWhateverItsHash() {
        ledger.sql("DELETE FROM event WHERE stream = 1 AND seq = 5");
        insert(5, Chain.START);
        assertThat(ledger.found("ops")).containsExactly("INSERTED 5 p1");
    }

    @Test
    void anEventAmongForgottenOnesIsInserted() {
        ledger.forget(4, 5);
        insert(4, null);
        assertThat(ledger.found("ops")).containsExactly("INSERTED 4 p1");
    }

    @Test
    void aRowThatCanBeNoEventIsNamed() {
        ledger.sql("DELETE FROM subject WHERE id = 5");
        assertThat(ledger.found("ops")).containsExactly("EDITED 5");
        move(9, -3);
        assertThat(ledger.found("ops")).containsExactly("INSERTED -3", "EDITED 5", "MISSING 9");
    }

    @Test
    void aRenamedSubjectIsAnEditOfItsEvents() {
        ledger.sql("UPDATE subject SET name = 'other' WHERE id = 5");
        assertThat(ledger.found("ops")).containsExactly("EDITED 5 other");
        ledger.sql("UPDATE stream SET name = 'elsewhere' WHERE id = 2");
        assertThat(ledger.found("elsewhere")).containsExactly("EDITED 1 p1", "EDITED 2 p1", "EDITED 3 p1");
    }

    @Test
    void manyFindingsAreCountedNotKept() {
        ledger.with(store -> {
            for (int seq = 10; seq <= 400; seq++) {
                Event event = event("ops", seq, "q");
                append(store, event, opened(event));
            }
        });
        ledger.sql("UPDATE event SET actor = 'mallory' WHERE stream = 1");
        Audited audited = ledger.audited("ops");
        assertThat(audited.findings()).hasSize(100);
        assertThat(audited.more()).isEqualTo(300);
        ledger.sql("UPDATE event SET actor = 'agent', hash = zeroblob(32) WHERE stream = 1");
        audited = ledger.audited("ops");
        assertThat(audited.findings().size() + audited.more()).isEqualTo(400);
    }

    private void move(long from, long to) {
        ledger.sql("UPDATE event SET seq = %d WHERE stream = 1 AND seq = %d".formatted(to, from));
    }

    /** Puts in an event of p1 that was never written, with a digest that is right. */
    private void insert(long seq, @Nullable Hash hash) {
        Event forged = new Event(
                "ops",
                seq,
                START,
                "p1",
                "fulfilled",
                "mallory",
                null,
                event("ops", 1, "p1").body());
        ledger.sql("INSERT INTO event (stream, seq, at, subject, type, actor, body, digest, hash)"
                + " VALUES (1, %d, %d, 1, 'fulfilled', 'mallory', x'%s', x'%s', x'%s')"
                        .formatted(
                                seq,
                                Micros.of(START),
                                HexFormat.of().formatHex(forged.body().bytes()),
                                Chain.digest(forged),
                                hash == null ? "" : hash));
    }
}
