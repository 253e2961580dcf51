package dev.gavel.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger that was filled in one go reads like one that grew. */
class FilledLedgerTest {
    @Test
    void itHasAsManyProposalsAsItsEventsMake(@TempDir Path directory) throws IOException {
        FilledLedger.make(directory.resolve("data"), "main", 300);
        Opening opening = SqliteLedger.open(directory.resolve("data/ledger.db"), SqliteOptions.DEFAULT);
        assertThat(opening).isInstanceOf(Opening.Opened.class);
        try (SqliteLedger ledger = ((Opening.Opened) opening).ledger()) {
            assertThat(ledger.extent("main")).isEqualTo(new Extent(1, 300));
            var page = ledger.subjects(SubjectQuery.of("main"), null, 1000);
            assertThat(page.subjects()).hasSize(100).allMatch(summary -> !summary.open());
            String some = page.subjects().get(41).subject();
            assertThat(ledger.history("main", some))
                    .extracting(Event::type)
                    .containsExactly("proposed", "fulfilled", "answered");
            assertThat(ledger.byReference("main", some + "fa")).isPresent();
        }
    }
}
