package dev.gavel.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a generated ledger reads like one that a server wrote. */
class LedgerFileGeneratorTest {
    @Test
    void itHasAsManyProposalsAsItsEventsMake(@TempDir Path directory) throws IOException {
        LedgerFileGenerator.generate(directory.resolve("data"), "main", 300);
        SqliteOpenResult sqliteOpenResult =
                SqliteLedger.open(directory.resolve("data/ledger.db"), SqliteOptions.DEFAULT);
        assertThat(sqliteOpenResult).isInstanceOf(SqliteOpenResult.Opened.class);
        try (SqliteLedger ledger = ((SqliteOpenResult.Opened) sqliteOpenResult).ledger()) {
            assertThat(ledger.retainedRange("main")).isEqualTo(new RetainedStreamRange(1, 300));
            var page = ledger.subjects(SubjectQuery.of("main"), null, 1000);
            assertThat(page.subjects()).hasSize(100).allMatch(summary -> !summary.open());
            String some = page.subjects().get(41).subject();
            assertThat(ledger.history("main", some))
                    .extracting(LedgerEvent::type)
                    .containsExactly("proposed", "fulfilled", "answered");
            assertThat(ledger.findByReference("main", some + "fa")).isPresent();
        }
    }
}
