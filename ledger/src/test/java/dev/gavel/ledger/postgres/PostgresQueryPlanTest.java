package dev.gavel.ledger.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.sql.HashChainReader;
import dev.gavel.ledger.sql.LedgerQuerySql;
import dev.gavel.ledger.sql.SubjectPruner;
import dev.gavel.ledger.sql.SubjectQuerySql;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that an index answers every query in the requested order, so that a large ledger is as fast as a small one. */
class PostgresQueryPlanTest {
    private final String url = TestPostgresServer.shared().freshSchema();

    @Test
    void everythingIsFoundByAnIndex() throws SQLException {
        TestPostgresLedgers.shared(url).close();
        LedgerQuerySql ledgerQuerySql = PostgresSession.QUERIES;
        PostgresConnector postgresConnector =
                new PostgresConnector(TestPostgresLedgers.options(url, PostgresOptions.Use.SHARED));
        try (PostgresSession session = new PostgresSession(postgresConnector.connectForQueries())) {
            // The tables are empty here, and PostgreSQL would prefer a sequential scan of an empty table.
            session.execute("SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off");
            assertIndexed(session, ledgerQuerySql.eventsAfter(), "ops", 1L, 1);
            assertIndexed(session, ledgerQuerySql.history(), "ops", "p1");
            assertIndexed(session, ledgerQuerySql.eventByReference(), "ops", "e1");
            assertIndexed(session, ledgerQuerySql.historyBySubjectId(), 1L);
            assertIndexed(session, ledgerQuerySql.summary(), "ops", "p1");
            assertIndexed(session, ledgerQuerySql.dueSubjects(), "ops", 1L, 1);
            assertIndexed(session, SubjectPruner.ENDED_SUBJECTS, 1L, 1);
            assertIndexed(session, SubjectPruner.ENDED_BEFORE_SEQ, 1L, 1L, 1L);
            assertIndexed(session, PostgresSession.QUERIES.eventSizesAfter(), "ops", 1L, 1);
            assertIndexed(session, SubjectPruner.RANGE_BEFORE, 1L, 1L);
            assertIndexed(session, SubjectPruner.RANGE_AFTER, 1L, 1L);
            assertIndexed(session, HashChainReader.EVENTS, 1L, 1L, 1);
            assertIndexed(session, HashChainReader.PRUNED_RANGES, 1L, 1L, 1);
            for (SubjectQuery.Order order : SubjectQuery.Order.values()) {
                SubjectQuery all = SubjectQuery.of("ops").order(order);
                for (SubjectQuery one : List.of(all, all.open(true), all.state("s"), all.owner("o"))) {
                    SubjectQuerySql sql =
                            SubjectQuerySql.of(ledgerQuerySql.summaries(), LedgerQuerySql.STREAM_ID, one, "17", 10);
                    assertIndexed(session, sql.text(), sql.parameters().toArray());
                }
            }
        }
    }

    private static void assertIndexed(PostgresSession session, String sql, Object... parameters) throws SQLException {
        List<String> plan = session.list("EXPLAIN " + sql, row -> row.getString(1), parameters);
        assertThat(plan).as(sql).isNotEmpty().noneMatch(step -> step.contains("Seq Scan") || step.contains("Sort"));
    }
}
