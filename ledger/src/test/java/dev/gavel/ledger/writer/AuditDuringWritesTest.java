package dev.gavel.ledger.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.audit.HashChainVerifier;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.audit.TrustedHead;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.sqlite.SqliteReadOnlyLedger;
import dev.gavel.ledger.sqlite.SqliteReadOnlyOpenResult;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the audit reports nothing false while the ledger writer appends and prunes. */
class AuditDuringWritesTest {
    private static final int ROUNDS = 60;

    /** Several pages of the audit. */
    private static final int OLD = 2000;

    @TempDir
    Path directory;

    @Test
    void nothingIsFoundWhateverIsAppendedAndForgottenMeanwhile() throws Exception {
        Path file = directory.resolve("ledger.db");
        AtomicBoolean finished = new AtomicBoolean();
        try (SqliteLedger ledger = SampleWriterTasks.open(file);
                LedgerWriter writer = SampleWriterTasks.writer(ledger)) {
            for (int i = 0; i < OLD; i++) {
                writer.submit("ops", SampleWriterTasks.propose("old" + i, "old" + i), writeResult -> {});
            }
            // Every second subject ends, so that pruned events lie between retained ones.
            for (int i = 0; i < OLD - 2; i += 2) {
                writer.submit("ops", SampleWriterTasks.fulfil("old" + i, "alice"), writeResult -> {});
            }
            SampleWriterTasks.submit(writer, "ops", SampleWriterTasks.fulfil("old" + OLD, "alice"))
                    .join();
            Thread appending = Thread.ofVirtual().start(() -> append(writer, finished));
            Thread forgetting = Thread.ofVirtual().start(() -> prune(ledger, finished));
            try {
                verify(file);
            } finally {
                finished.set(true);
                appending.join();
                forgetting.join();
            }
        }
    }

    private static void append(LedgerWriter writer, AtomicBoolean finished) {
        Semaphore permits = new Semaphore(50);
        for (int i = 0; !finished.get(); i++) {
            String subject = "new" + i;
            permits.acquireUninterruptibly();
            writer.submit("ops", SampleWriterTasks.propose(subject, subject), writeResult -> {});
            writer.submit("ops", SampleWriterTasks.fulfil(subject, "bob"), writeResult -> permits.release());
        }
    }

    private static void prune(SqliteLedger ledger, AtomicBoolean finished) {
        while (!finished.get()) {
            ledger.prune(Instant.MAX, 3);
        }
    }

    private static void verify(Path file) {
        if (!(SqliteReadOnlyLedger.open(file, SqliteOptions.DEFAULT)
                instanceof SqliteReadOnlyOpenResult.Opened(SqliteReadOnlyLedger view))) {
            throw new AssertionError("cannot be read");
        }
        List<TrustedHead> trustedHead = new ArrayList<>();
        long prunedCount = 0;
        long last = 0;
        try (view) {
            for (int round = 0; round < ROUNDS; round++) {
                StreamAuditResult streamAuditResult = HashChainVerifier.verify(view, "ops", trustedHead, () -> {});
                assertThat(streamAuditResult.findings()).isEmpty();
                assertThat(streamAuditResult.lastSeq()).isGreaterThanOrEqualTo(last);
                assertThat(streamAuditResult.comparedHeads())
                        .hasSameSizeAs(trustedHead)
                        .noneMatch(comparison -> comparison.result() == TrustedHead.Result.WRONG);
                trustedHead.add(new TrustedHead(
                        "ops",
                        streamAuditResult.lastSeq(),
                        streamAuditResult.head() == null
                                ? HashChainCalculator.GENESIS_HASH
                                : streamAuditResult.head()));
                last = streamAuditResult.lastSeq();
                prunedCount = streamAuditResult.prunedEvents();
            }
        }
        assertThat(last).as("something was appended meanwhile").isGreaterThan(OLD + OLD / 2);
        assertThat(prunedCount).as("something was forgotten meanwhile").isPositive();
    }
}
