package dev.gavel.ledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.sql.ChainReading;
import dev.gavel.ledger.sql.Pruning;
import dev.gavel.ledger.sql.Questions;
import dev.gavel.ledger.sql.SubjectSql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No question is answered by looking at everything, or by sorting: what it costs does not grow with the ledger. */
class QueryPlanTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource("queries")
    void subjectsAreFoundInOrderByAnIndex(SubjectQuery query) throws SQLException {
        for (String cursor : new String[] {null, "17"}) {
            SubjectSql sql = SubjectSql.of(SqliteReader.QUESTIONS.summaries(), Questions.STREAM_ID, query, cursor, 10);
            assertIndexed(sql.text(), sql.parameters());
        }
    }

    static Stream<SubjectQuery> queries() {
        List<SubjectQuery> queries = new ArrayList<>();
        for (SubjectQuery.Order order : SubjectQuery.Order.values()) {
            SubjectQuery all = SubjectQuery.of("ops").order(order);
            for (SubjectQuery one : List.of(all, all.open(true), all.open(false))) {
                queries.addAll(List.of(
                        one, one.state("s"), one.owner("o"), one.state("s").owner("o")));
            }
        }
        return queries.stream();
    }

    @Test
    void everythingElseIsFoundByAnIndex() throws SQLException {
        assertIndexed(SqliteReader.QUESTIONS.after(), List.of("ops", 1, 1));
        assertIndexed(SqliteReader.QUESTIONS.history(), List.of("ops", "p1"));
        assertIndexed(SqliteReader.QUESTIONS.byReference(), List.of("ops", "e1"));
        assertIndexed(SqliteReader.QUESTIONS.ofSubject(), List.of(1));
        assertIndexed(SqliteReader.ALL, List.of(1, 9, 1));
        assertIndexed(SqliteReader.QUESTIONS.summary(), List.of("ops", "p1"));
        assertIndexed(SqliteReader.QUESTIONS.due(), List.of("ops", 1, 1));
        assertIndexed(Pruning.ENDED, List.of(1, 1));
        assertIndexed(Pruning.BEFORE, List.of(1, 1));
        assertIndexed(Pruning.BEHIND, List.of(1, 1));
        assertIndexed(ChainReading.EVENTS, List.of(1, 1, 1));
        assertIndexed(ChainReading.FORGOTTEN, List.of(1, 1, 1));
        assertIndexed(ChainReading.FORGOTTEN_UP_TO, List.of(1));
    }

    private void assertIndexed(String sql, List<Object> parameters) throws SQLException {
        try (Session session = Session.forWriting(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            Migrations.ALL.apply(session);
            List<String> plan =
                    session.list("EXPLAIN QUERY PLAN " + sql, row -> row.getString("detail"), parameters.toArray());
            assertThat(plan)
                    .as(sql)
                    .isNotEmpty()
                    .noneMatch(step -> step.startsWith("SCAN") || step.contains("TEMP B-TREE"));
        }
    }
}
