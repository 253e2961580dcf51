package dev.gavel.ledger.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.sqlite.SqliteReadOnlyLedger;
import dev.gavel.ledger.sqlite.SqliteReadOnlyOpenResult;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a read-only ledger reads correctly while another process writes the file and after that process was
 * killed.
 */
class ReadOnlyLedgerDuringWritesTest {
    private static final int LOOKS = 5;

    @TempDir
    Path directory;

    @Test
    void everythingAcknowledgedIsSeenWithoutAGapAndTheWriterGoesOn() throws Exception {
        Path file = directory.resolve("ledger.db");
        Process process = EndlessWriterProgram.start(file, 0);
        Set<String> acknowledged = new HashSet<>();
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (int look = 1; look <= LOOKS; look++) {
                while (acknowledged.size() < look * 300) {
                    acknowledged.add(complete(lines.readLine()));
                }
                check(file, acknowledged);
            }
            // By its handle: destroying the Process would close our end of the pipe too, with unread acknowledgements
            // in it.
            process.toHandle().destroyForcibly();
            @Nullable String line = lines.readLine();
            while (line != null && line.endsWith(";")) {
                acknowledged.add(line);
                line = lines.readLine();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        check(file, acknowledged);
    }

    private static String complete(@Nullable String line) {
        if (line == null) {
            throw new AssertionError("the writer ended");
        }
        return line;
    }

    private static void check(Path file, Set<String> acknowledged) {
        List<LedgerEvent> events = new ArrayList<>();
        switch (SqliteReadOnlyLedger.open(file, SqliteOptions.DEFAULT)) {
            case SqliteReadOnlyOpenResult.Opened(SqliteReadOnlyLedger view) -> {
                try (view) {
                    view.export(each -> events.add(each.event()));
                }
            }
            case SqliteReadOnlyOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        }
        assertThat(events)
                .extracting(LedgerEvent::seq)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, events.size()).boxed().toList());
        assertThat(events.stream().map(LedgerEvent::reference).toList()).containsAll(acknowledged);
    }
}
