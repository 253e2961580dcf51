package dev.gavel.ledger.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the settings of connections, and the messages about URLs that cannot be used. */
class PostgresConnectorTest {
    private final String url = TestPostgresServer.shared().freshSchema();

    @ParameterizedTest
    @ValueSource(strings = {"", "&options=-c%20work_mem=1234kB"})
    void everyConnectionHasTimeLimitsWhateverOptionsTheAddressBrings(String more) throws SQLException {
        PostgresConnector postgresConnector =
                new PostgresConnector(TestPostgresLedgers.options(url + more, Use.SHARED));
        Map<String, String> quickly = Map.of(
                "statement_timeout", "5s",
                "lock_timeout", "2s",
                "idle_in_transaction_session_timeout", "5s",
                "tcp_keepalives_idle", "10",
                "tcp_keepalives_interval", "5",
                "tcp_keepalives_count", "3",
                "tcp_user_timeout", "10000");
        Map<String, String> patiently = new TreeMap<>(quickly);
        patiently.put("statement_timeout", "0");
        patiently.put("lock_timeout", "30s");
        patiently.put("idle_in_transaction_session_timeout", "1min");
        try (Connection quick = postgresConnector.connectForQueries();
                Connection patient = postgresConnector.connectForMaintenance();
                HikariDataSource pool = postgresConnector.createPool();
                Connection pooled = pool.getConnection()) {
            assertThat(shown(quick, quickly)).isEqualTo(quickly);
            assertThat(shown(pooled, quickly)).isEqualTo(quickly);
            assertThat(shown(patient, quickly)).isEqualTo(patiently);
            assertThat(quick.getNetworkTimeout()).isEqualTo(8_000);
            assertThat(pooled.getNetworkTimeout()).isEqualTo(8_000);
            assertThat(show(pooled, "work_mem").equals("1234kB")).isEqualTo(!more.isEmpty());
        }
    }

    @Test
    void aLimitThatTheAddressSetsIsLeftAsItIs() throws SQLException {
        PostgresConnector postgresConnector =
                new PostgresConnector(TestPostgresLedgers.options(url + "&options=-c%20lock_timeout=50", Use.SHARED));
        try (Connection quick = postgresConnector.connectForQueries()) {
            assertThat(show(quick, "lock_timeout")).isEqualTo("50ms");
            assertThat(show(quick, "statement_timeout")).isEqualTo("5s");
        }
    }

    /** The messages and the log of the driver would show the whole URL. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://gavel:hush@db/gavel",
                "jdbc:postgresql://gavel:hush@db:5432/gavel",
                "jdbc:postgresql://gavel:hu/sh@db:5432/gavel",
                "jdbc:postgresql://db:54e2/gavel?user=gavel&password=hush",
                "jdbc:postgresql://db?user=gavel&password=hush",
                "jdbc:postgresql://db/gavel?user=gavel&password=hush%",
            })
    void anAddressThatCannotBeUnderstoodIsNotRepeated(String address) {
        Queue<String> logged = new ConcurrentLinkedQueue<>();
        Handler listening = listening(logged);
        Logger.getLogger("").addHandler(listening);
        try {
            PostgresOptions options = TestPostgresLedgers.options(address, Use.SHARED);
            for (PostgresOpenResult<?> opening :
                    List.of(PostgresLedger.open(options), PostgresReadOnlyLedger.open(options))) {
                assertThat(opening)
                        .isInstanceOfSatisfying(
                                PostgresOpenResult.Refused.class,
                                refused -> assertThat(refused.reason())
                                        .contains("The address of the ledger's database")
                                        .doesNotContain("hu", "sh"));
            }
        } finally {
            Logger.getLogger("").removeHandler(listening);
        }
        assertThat(logged).isEmpty();
    }

    private static Handler listening(Queue<String> logged) {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    private static Map<String, String> shown(Connection connection, Map<String, String> names) throws SQLException {
        Map<String, String> shown = new TreeMap<>();
        for (String name : names.keySet()) {
            shown.put(name, show(connection, name));
        }
        return shown;
    }

    private static String show(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + name)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }
}
