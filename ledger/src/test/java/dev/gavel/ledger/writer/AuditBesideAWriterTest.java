package dev.gavel.ledger.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Chain;
import dev.gavel.ledger.audit.Audit;
import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Noted;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.sqlite.SqliteView;
import dev.gavel.ledger.sqlite.Viewing;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger is verified over and over while events are appended and subjects forgotten as fast as can be. */
class AuditBesideAWriterTest {
    private static final int ROUNDS = 60;

    /** Several pages of the audit. */
    private static final int OLD = 2000;

    @TempDir
    Path directory;

    @Test
    void nothingIsFoundWhateverIsAppendedAndForgottenMeanwhile() throws Exception {
        Path file = directory.resolve("ledger.db");
        AtomicBoolean over = new AtomicBoolean();
        try (SqliteLedger ledger = Desk.open(file);
                LedgerWriter writer = Desk.writer(ledger)) {
            for (int i = 0; i < OLD; i++) {
                writer.submit("ops", Desk.propose("old" + i, "old" + i), outcome -> {});
            }
            // Every second one ends, so that what is forgotten lies between what is kept.
            for (int i = 0; i < OLD - 2; i += 2) {
                writer.submit("ops", Desk.fulfil("old" + i, "alice"), outcome -> {});
            }
            Desk.submit(writer, "ops", Desk.fulfil("old" + OLD, "alice")).join();
            Thread appending = Thread.ofVirtual().start(() -> append(writer, over));
            Thread forgetting = Thread.ofVirtual().start(() -> forget(ledger, over));
            try {
                verify(file);
            } finally {
                over.set(true);
                appending.join();
                forgetting.join();
            }
        }
    }

    private static void append(LedgerWriter writer, AtomicBoolean over) {
        Semaphore room = new Semaphore(50);
        for (int i = 0; !over.get(); i++) {
            String subject = "new" + i;
            room.acquireUninterruptibly();
            writer.submit("ops", Desk.propose(subject, subject), outcome -> {});
            writer.submit("ops", Desk.fulfil(subject, "bob"), outcome -> room.release());
        }
    }

    private static void forget(SqliteLedger ledger, AtomicBoolean over) {
        while (!over.get()) {
            ledger.prune(Instant.MAX, 3);
        }
    }

    private static void verify(Path file) {
        if (!(SqliteView.open(file, SqliteOptions.DEFAULT) instanceof Viewing.Opened(SqliteView view))) {
            throw new AssertionError("cannot be read");
        }
        List<Noted> noted = new ArrayList<>();
        long forgotten = 0;
        long last = 0;
        try (view) {
            for (int round = 0; round < ROUNDS; round++) {
                Audited audited = Audit.verify(view, "ops", noted, () -> {});
                assertThat(audited.findings()).isEmpty();
                assertThat(audited.last()).isGreaterThanOrEqualTo(last);
                assertThat(audited.noted())
                        .hasSameSizeAs(noted)
                        .noneMatch(checked -> checked.result() == Noted.Result.WRONG);
                noted.add(new Noted("ops", audited.last(), audited.head() == null ? Chain.START : audited.head()));
                last = audited.last();
                forgotten = audited.forgotten();
            }
        }
        assertThat(last).as("something was appended meanwhile").isGreaterThan(OLD + OLD / 2);
        assertThat(forgotten).as("something was forgotten meanwhile").isPositive();
    }
}
