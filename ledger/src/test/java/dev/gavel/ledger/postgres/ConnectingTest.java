package dev.gavel.ledger.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What connections are like. */
class ConnectingTest {
    private final String url = PostgresServer.shared().freshSchema();

    @ParameterizedTest
    @ValueSource(strings = {"", "&options=-c%20work_mem=1234kB"})
    void everyConnectionHasTimeLimitsWhateverOptionsTheAddressBrings(String more) throws SQLException {
        Connecting connecting = new Connecting(PostgresLedgers.options(url + more, Use.SHARED));
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
        try (Connection quick = connecting.quick();
                Connection patient = connecting.patient();
                HikariDataSource pool = connecting.pool();
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
        Connecting connecting =
                new Connecting(PostgresLedgers.options(url + "&options=-c%20lock_timeout=50", Use.SHARED));
        try (Connection quick = connecting.quick()) {
            assertThat(show(quick, "lock_timeout")).isEqualTo("50ms");
            assertThat(show(quick, "statement_timeout")).isEqualTo("5s");
        }
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
