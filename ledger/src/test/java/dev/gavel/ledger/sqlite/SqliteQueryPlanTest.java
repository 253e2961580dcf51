package dev.gavel.ledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.sql.HashChainReader;
import dev.gavel.ledger.sql.LedgerQuerySql;
import dev.gavel.ledger.sql.SubjectPruner;
import dev.gavel.ledger.sql.SubjectQuerySql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that SQLite answers the ledger queries from its indexes. */
class SqliteQueryPlanTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource("queries")
    void subjectsAreFoundInOrderByAnIndex(SubjectQuery query) throws SQLException {
        for (String cursor : new String[] {null, "17"}) {
            SubjectQuerySql sql = SubjectQuerySql.of(
                    SqliteLedgerReader.QUERIES.summaries(), LedgerQuerySql.STREAM_ID, query, cursor, 10);
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
        assertIndexed(SqliteLedgerReader.QUERIES.eventsAfter(), List.of("ops", 1, 1));
        assertIndexed(SqliteLedgerReader.QUERIES.history(), List.of("ops", "p1"));
        assertIndexed(SqliteLedgerReader.QUERIES.eventByReference(), List.of("ops", "e1"));
        assertIndexed(SqliteLedgerReader.QUERIES.historyBySubjectId(), List.of(1));
        assertIndexed(SqliteLedgerReader.ALL_EVENTS, List.of(1, 9, 1));
        assertIndexed(SqliteLedgerReader.QUERIES.summary(), List.of("ops", "p1"));
        assertIndexed(SqliteLedgerReader.QUERIES.dueSubjects(), List.of("ops", 1, 1));
        assertIndexed(SubjectPruner.ENDED_SUBJECTS, List.of(1, 1));
        assertIndexed(SubjectPruner.ENDED_BEFORE_SEQ, List.of(1, 1, 1));
        assertIndexed(SqliteLedgerReader.QUERIES.eventSizesAfter(), List.of("ops", 1, 1));
        assertIndexed(SubjectPruner.RANGE_BEFORE, List.of(1, 1));
        assertIndexed(SubjectPruner.RANGE_AFTER, List.of(1, 1));
        assertIndexed(HashChainReader.EVENTS, List.of(1, 1, 1));
        assertIndexed(HashChainReader.PRUNED_RANGES, List.of(1, 1, 1));
        assertIndexed(HashChainReader.PRUNED_UP_TO, List.of(1));
    }

    private void assertIndexed(String sql, List<Object> parameters) throws SQLException {
        try (SqliteSession session = SqliteSession.forWriting(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            SqliteMigrations.ALL.apply(session);
            List<String> plan =
                    session.list("EXPLAIN QUERY PLAN " + sql, row -> row.getString("detail"), parameters.toArray());
            assertThat(plan)
                    .as(sql)
                    .isNotEmpty()
                    .noneMatch(step -> step.startsWith("SCAN") || step.contains("TEMP B-TREE"));
        }
    }
}
