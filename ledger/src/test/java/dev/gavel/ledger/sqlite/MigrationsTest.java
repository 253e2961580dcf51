package dev.gavel.ledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationsTest {
    private static final Migrations.Step FIRST =
            Migrations.sql("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept');");
    private static final Migrations.Step SECOND =
            Migrations.sql("ALTER TABLE note ADD COLUMN author TEXT; UPDATE note SET author = 'me';");
    private static final Migrations.Step WRONG =
            Migrations.sql("INSERT INTO note (text) VALUES ('half'); INSERT INTO nowhere VALUES (1);");

    @TempDir
    Path directory;

    @Test
    void onlyWhatIsMissingIsApplied() throws SQLException {
        try (Session session = Session.forWriting(directory.resolve("x.db"), SqliteOptions.DEFAULT)) {
            Migrations old = new Migrations(List.of(FIRST));
            assertThat(old.look(session)).isEqualTo(Migrations.Schema.KNOWN);
            old.apply(session);
            old.apply(session);
            Migrations current = new Migrations(List.of(FIRST, SECOND));
            assertThat(current.look(session)).isEqualTo(Migrations.Schema.KNOWN);
            current.apply(session);
            assertThat(session.list("SELECT text || author FROM note", row -> row.getString(1)))
                    .containsExactly("keptme");
            assertThat(current.version(session)).isEqualTo(2);
            assertThat(old.look(session)).isEqualTo(Migrations.Schema.NEWER);
        }
    }

    @Test
    void afterAFailureNothingIsApplied() throws SQLException {
        try (Session session = Session.forWriting(directory.resolve("x.db"), SqliteOptions.DEFAULT)) {
            new Migrations(List.of(FIRST)).apply(session);
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> new Migrations(List.of(FIRST, SECOND, WRONG)).apply(session));
            assertThat(session.list("SELECT * FROM note", row -> row.getString(1)))
                    .containsExactly("kept");
            assertThat(new Migrations(List.of(FIRST)).version(session)).isEqualTo(1);
        }
    }

    @Test
    void aScriptThatFailsRefusesTheLedgerAndLetsGoOfIt() {
        Path file = directory.resolve("ledger.db");
        List<Migrations.Step> steps = new ArrayList<>(Migrations.ALL.steps());
        steps.add(Migrations.sql("INSERT INTO nowhere VALUES (1)"));
        assertThat(SqliteOpening.open(file, SqliteOptions.DEFAULT, new Migrations(steps)))
                .isInstanceOfSatisfying(
                        Opening.Refused.class,
                        refused -> assertThat(refused.reason()).contains("cannot be opened", "nowhere"));
        if (SqliteLedger.open(file, SqliteOptions.DEFAULT) instanceof Opening.Opened(SqliteLedger ledger)) {
            ledger.close();
        } else {
            throw new AssertionError("still refused");
        }
    }
}
