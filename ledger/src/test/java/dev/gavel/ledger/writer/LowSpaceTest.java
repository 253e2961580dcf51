package dev.gavel.ledger.writer;

import static dev.gavel.ledger.writer.SampleWriterTasks.propose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that only essential tasks are written while the disk has little free space. */
class LowSpaceTest {
    @Test
    void onlyEssentialTasksAreWrittenUntilThereIsSpaceAgain(@TempDir Path directory) {
        AtomicBoolean low = new AtomicBoolean(true);
        try (SqliteLedger ledger = ((SqliteOpenResult.Opened)
                                SqliteLedger.open(directory.resolve("l.db"), SqliteOptions.DEFAULT))
                        .ledger();
                LedgerWriter writer =
                        new LedgerWriter(ledger, InstantSource.system(), WriterOptions.DEFAULT, low::get)) {
            CompletableFuture<WriteResult<String>> ordinary = new CompletableFuture<>();
            CompletableFuture<WriteResult<String>> essential = new CompletableFuture<>();
            writer.submit("ops", propose("a", "a"), ordinary::complete);
            writer.submitEssential("ops", propose("b", "b"), essential::complete);
            assertThat(ordinary.join()).isInstanceOf(WriteResult.Unavailable.class);
            assertThat(essential.join()).isInstanceOf(WriteResult.Written.class);
            assertThat(writer.isAvailable()).isFalse();
            assertThat(ledger.history("ops", "a")).isEmpty();
            assertThat(ledger.history("ops", "b")).hasSize(1);
            low.set(false);
            await().until(writer::isAvailable);
            CompletableFuture<WriteResult<String>> again = new CompletableFuture<>();
            writer.submit("ops", propose("a", "a"), again::complete);
            assertThat(again.join()).isInstanceOf(WriteResult.Written.class);
        }
    }
}
