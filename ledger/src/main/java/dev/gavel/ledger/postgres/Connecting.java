package dev.gavel.ledger.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Makes connections. Everything has a time limit, so that a database that hangs is noticed like one that is gone; what the
 * address itself says of these is left as it is. Thread-safe.
 */
final class Connecting {
    private static final int CONNECT_SECONDS = 2;

    /** Longer than any statement may take: it is for a server that does not answer at all. */
    private static final int SOCKET_SECONDS = 8;

    /**
     * A server that lost sight of us lets go of what we had locked in seconds, where its own settings would have it wait for
     * hours.
     */
    private static final String KEEPALIVE =
            " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

    private static final String QUICK =
            "-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=5000" + KEEPALIVE;

    private static final String PATIENT =
            "-c statement_timeout=0 -c lock_timeout=30000 -c idle_in_transaction_session_timeout=60000" + KEEPALIVE;

    /** For the one who writes, and for housekeeping beside it. */
    private static final int BESIDES_READERS = 3;

    private static final long BORROW_MILLIS = 1_500;
    private static final long VALIDATE_MILLIS = 1_000;

    private final PostgresOptions options;

    Connecting(PostgresOptions options) {
        this.options = options;
    }

    /** One for short questions. */
    Connection quick() throws SQLException {
        return connect(properties(QUICK, SOCKET_SECONDS));
    }

    /** One for work that takes as long as it takes. */
    Connection patient() throws SQLException {
        return connect(properties(PATIENT, 0));
    }

    private Connection connect(Properties properties) throws SQLException {
        return DriverManager.getConnection(options.url(), properties);
    }

    HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("gavel-ledger");
        config.setJdbcUrl(options.url());
        config.setDataSourceProperties(properties(QUICK, SOCKET_SECONDS));
        config.setMaximumPoolSize(options.readers() + BESIDES_READERS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(BORROW_MILLIS);
        config.setValidationTimeout(VALIDATE_MILLIS);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private Properties properties(String settings, int socketSeconds) {
        Properties properties = new Properties();
        options.user().ifPresent(user -> properties.setProperty("user", user));
        options.password().ifPresent(password -> properties.setProperty("password", password));
        properties.setProperty("ApplicationName", "gavel");
        properties.setProperty("options", settings);
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS * 2));
        properties.setProperty("socketTimeout", Integer.toString(socketSeconds));
        properties.setProperty("tcpKeepAlive", "true");
        if (namesSeveralHosts(options.url())) {
            properties.setProperty("targetServerType", "primary");
        }
        return properties;
    }

    private static boolean namesSeveralHosts(String url) {
        int begin = url.indexOf("//");
        int end = begin < 0 ? -1 : url.indexOf('/', begin + 2);
        return end > 0 && url.substring(begin, end).contains(",");
    }
}
