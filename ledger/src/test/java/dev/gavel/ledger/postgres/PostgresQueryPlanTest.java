package dev.gavel.ledger.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.sql.ChainReading;
import dev.gavel.ledger.sql.Pruning;
import dev.gavel.ledger.sql.Questions;
import dev.gavel.ledger.sql.SubjectSql;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every question is answered by an index, in the order asked for: a large ledger is no slower than a small one. */
class PostgresQueryPlanTest {
    private final String url = PostgresServer.shared().freshSchema();

    @Test
    void everythingIsFoundByAnIndex() throws SQLException {
        PostgresLedgers.shared(url).close();
        Questions questions = PostgresSession.QUESTIONS;
        Connecting connecting = new Connecting(PostgresLedgers.options(url, PostgresOptions.Use.SHARED));
        try (PostgresSession session = new PostgresSession(connecting.quick())) {
            // Tables are empty here, and reading all of an empty one is the quickest way.
            session.execute("SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off");
            assertIndexed(session, questions.after(), "ops", 1L, 1);
            assertIndexed(session, questions.history(), "ops", "p1");
            assertIndexed(session, questions.byReference(), "ops", "e1");
            assertIndexed(session, questions.ofSubject(), 1L);
            assertIndexed(session, questions.summary(), "ops", "p1");
            assertIndexed(session, questions.due(), "ops", 1L, 1);
            assertIndexed(session, Pruning.ENDED, 1L, 1);
            assertIndexed(session, Pruning.BEFORE, 1L, 1L);
            assertIndexed(session, Pruning.BEHIND, 1L, 1L);
            assertIndexed(session, ChainReading.EVENTS, 1L, 1L, 1);
            assertIndexed(session, ChainReading.FORGOTTEN, 1L, 1L, 1);
            for (SubjectQuery.Order order : SubjectQuery.Order.values()) {
                SubjectQuery all = SubjectQuery.of("ops").order(order);
                for (SubjectQuery one : List.of(all, all.open(true), all.state("s"), all.owner("o"))) {
                    SubjectSql sql = SubjectSql.of(questions.summaries(), Questions.STREAM_ID, one, "17", 10);
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
