package dev.gavel.ledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteMigrationsTest {
    private static final SqliteMigrations.Step FIRST =
            SqliteMigrations.sql("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept');");
    private static final SqliteMigrations.Step SECOND =
            SqliteMigrations.sql("ALTER TABLE note ADD COLUMN author TEXT; UPDATE note SET author = 'me';");
    private static final SqliteMigrations.Step WRONG =
            SqliteMigrations.sql("INSERT INTO note (text) VALUES ('half'); INSERT INTO nowhere VALUES (1);");

    @TempDir
    Path directory;

    @Test
    void onlyWhatIsMissingIsApplied() throws SQLException {
        try (SqliteSession session = SqliteSession.forWriting(directory.resolve("x.db"), SqliteOptions.DEFAULT)) {
            SqliteMigrations old = new SqliteMigrations(List.of(FIRST));
            assertThat(old.inspect(session)).isEqualTo(SqliteMigrations.Schema.KNOWN);
            old.apply(session);
            old.apply(session);
            SqliteMigrations current = new SqliteMigrations(List.of(FIRST, SECOND));
            assertThat(current.inspect(session)).isEqualTo(SqliteMigrations.Schema.KNOWN);
            current.apply(session);
            assertThat(session.list("SELECT text || author FROM note", row -> row.getString(1)))
                    .containsExactly("keptme");
            assertThat(current.version(session)).isEqualTo(2);
            assertThat(old.inspect(session)).isEqualTo(SqliteMigrations.Schema.NEWER);
        }
    }

    @Test
    void afterAFailureNothingIsApplied() throws SQLException {
        try (SqliteSession session = SqliteSession.forWriting(directory.resolve("x.db"), SqliteOptions.DEFAULT)) {
            new SqliteMigrations(List.of(FIRST)).apply(session);
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> new SqliteMigrations(List.of(FIRST, SECOND, WRONG)).apply(session));
            assertThat(session.list("SELECT * FROM note", row -> row.getString(1)))
                    .containsExactly("kept");
            assertThat(new SqliteMigrations(List.of(FIRST)).version(session)).isEqualTo(1);
        }
    }

    @Test
    void aScriptThatFailsRefusesTheLedgerAndLetsGoOfIt() {
        Path file = directory.resolve("ledger.db");
        List<SqliteMigrations.Step> steps = new ArrayList<>(SqliteMigrations.ALL.steps());
        steps.add(SqliteMigrations.sql("INSERT INTO nowhere VALUES (1)"));
        assertThat(SqliteLedgerOpener.open(file, SqliteOptions.DEFAULT, new SqliteMigrations(steps)))
                .isInstanceOfSatisfying(
                        SqliteOpenResult.Refused.class,
                        refused -> assertThat(refused.reason()).contains("cannot be opened", "nowhere"));
        if (SqliteLedger.open(file, SqliteOptions.DEFAULT) instanceof SqliteOpenResult.Opened(SqliteLedger ledger)) {
            ledger.close();
        } else {
            throw new AssertionError("still refused");
        }
    }
}
