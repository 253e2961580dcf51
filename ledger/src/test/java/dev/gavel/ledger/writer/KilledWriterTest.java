package dev.gavel.ledger.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sqlite.SqliteLedger;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that every event reported as durable survives killing the writing process. */
class KilledWriterTest {
    private static final int KILLS = 5;

    @TempDir
    Path directory;

    @Test
    void nothingAcknowledgedIsLostAndNothingIsThereTwice() throws Exception {
        Path file = directory.resolve("ledger.db");
        Set<String> acknowledged = new HashSet<>();
        for (int run = 0; run < KILLS; run++) {
            int before = acknowledged.size();
            acknowledged.addAll(liveAndBeKilled(file, run, 300 + 500 * run));
            assertThat(acknowledged).hasSizeGreaterThan(before);
            check(file, acknowledged);
        }
    }

    private static Set<String> liveAndBeKilled(Path file, int run, int enough) throws Exception {
        Process process = EndlessWriterProgram.start(file, run);
        Set<String> acknowledged = new HashSet<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            @Nullable String line = lines.readLine();
            while (line != null) {
                // The last line may be incomplete when the process is killed.
                if (line.endsWith(";")) {
                    acknowledged.add(line);
                }
                if (acknowledged.size() == enough) {
                    // By its handle: destroying the Process would close our end of the pipe too, with unread
                    // acknowledgements in it.
                    process.toHandle().destroyForcibly();
                }
                line = lines.readLine();
            }
        }
        process.waitFor();
        return acknowledged;
    }

    private static void check(Path file, Set<String> acknowledged) {
        try (SqliteLedger ledger = SampleWriterTasks.open(file)) {
            List<LedgerEvent> events = new ArrayList<>();
            ledger.export(each -> events.add(each.event()));
            assertThat(events)
                    .extracting(LedgerEvent::seq)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, events.size()).boxed().toList());
            assertThat(events).extracting(LedgerEvent::reference).doesNotHaveDuplicates();
            assertThat(events.stream().map(LedgerEvent::reference).toList()).containsAll(acknowledged);
            assertThat(ledger.retainedRange("ops").last()).isEqualTo(events.size());
            List<SubjectSummary> summaries =
                    ledger.subjects(SubjectQuery.of("ops"), null, events.size()).subjects();
            ledger.rebuildSummaries(SampleWriterTasks::summarise);
            assertThat(ledger.subjects(SubjectQuery.of("ops"), null, events.size())
                            .subjects())
                    .isEqualTo(summaries);
        }
    }
}
