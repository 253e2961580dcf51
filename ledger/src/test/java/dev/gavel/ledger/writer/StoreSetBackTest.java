package dev.gavel.ledger.writer;

import static dev.gavel.ledger.writer.SampleWriterTasks.fulfil;
import static dev.gavel.ledger.writer.SampleWriterTasks.propose;
import static dev.gavel.ledger.writer.SampleWriterTasks.submit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.postgres.PostgresLedger;
import dev.gavel.ledger.postgres.TestPostgresLedgers;
import dev.gavel.ledger.postgres.TestPostgresServer;
import org.junit.jupiter.api.Test;

/** Tests that the ledger writer drops cached subjects when its store was set back to an older state. */
class StoreSetBackTest {
    @Test
    void whatIsAtHandIsNotBelievedWhenACopyTookOverThatLacksTheLastEvents() {
        try (TestPostgresServer primary = TestPostgresServer.start();
                TestPostgresServer standby = primary.standby()) {
            String url = primary.freshDatabase();
            String standbyUrl = url.replace(":" + primary.port() + "/", ":" + standby.port() + "/");
            String both = url.replace(
                    ":" + primary.port() + "/", ":" + primary.port() + ",127.0.0.1:" + standby.port() + "/");
            try (PostgresLedger ledger = TestPostgresLedgers.shared(both);
                    LedgerWriter writer = SampleWriterTasks.writer(ledger)) {
                assertThat(submitAndWait(writer, propose("p1", "e1"))).isEqualTo("proposed");
                String has = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()";
                await().until(() -> primary.execute(url, has) == 1);
                standby.execute(standbyUrl, "ALTER SYSTEM SET primary_conninfo = ''");
                standby.execute(standbyUrl, "SELECT 1 FROM pg_reload_conf()");
                await().until(() -> primary.execute(url, "SELECT count(*) FROM pg_stat_replication") == 0);
                assertThat(submitAndWait(writer, propose("p2", "e2"))).isEqualTo("proposed");
                primary.stop();
                standby.execute(standbyUrl, "SELECT 1 FROM pg_promote()");
                try (PostgresLedger other = TestPostgresLedgers.shared(standbyUrl);
                        LedgerWriter others = SampleWriterTasks.writer(other)) {
                    assertThat(submitAndWait(others, fulfil("p1", "bob"))).isEqualTo("fulfilled");
                    assertThat(other.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 2));
                }
                assertThat(submitAndWait(writer, fulfil("p1", "alice"))).isEqualTo("closed");
                assertThat(ledger.history("ops", "p1"))
                        .extracting(LedgerEvent::type)
                        .containsExactly("proposed", "fulfilled");
            }
        }
    }

    @Test
    void whatWeWroteOurselvesIsReadNoMore() {
        TestPostgresServer server = TestPostgresServer.shared();
        String url = server.freshSchema();
        try (PostgresLedger ledger = TestPostgresLedgers.shared(url);
                LedgerWriter writer = SampleWriterTasks.writer(ledger)) {
            assertThat(submitAndWait(writer, propose("p1", "e1"))).isEqualTo("proposed");
            assertThat(submitAndWait(writer, propose("p2", "e2"))).isEqualTo("proposed");
            server.execute(url, "UPDATE summary SET open = 0");
            assertThat(submitAndWait(writer, fulfil("p1", "alice"))).isEqualTo("fulfilled");
        }
    }

    private static String submitAndWait(LedgerWriter writer, WriterTask<String> task) {
        return switch (submit(writer, "ops", task).join()) {
            case WriteResult.Written<String>(String result, var events) -> result;
            case WriteResult.Unavailable<String>(String reason, var after) -> reason;
            case WriteResult.Failed<String>(Throwable cause) -> throw new AssertionError(cause);
        };
    }
}
