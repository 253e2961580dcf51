package dev.gavel.ledger.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * Opens PostgreSQL connections and connection pools with time limits for connecting, statements and locks. With these
 * limits, a database that hangs is noticed like one that is down. Limits that the JDBC URL sets have precedence.
 * Thread-safe.
 */
final class PostgresConnector {
    /**
     * The driver's log, which contains URLs with passwords. This field keeps a strong reference, since the log level is
     * lost when the logger is garbage-collected.
     */
    private static final Logger DRIVER_LOG = Logger.getLogger("org.postgresql");

    static {
        // An operator who debugs the driver may have set a level.
        if (DRIVER_LOG.getLevel() == null) {
            DRIVER_LOG.setLevel(Level.OFF);
        }
    }

    private static final Pattern USER_IN_FRONT = Pattern.compile("^jdbc:postgresql://[^/?]*@");

    private static final int CONNECT_SECONDS = 2;

    /** Longer than any statement may take: it detects a server that does not respond at all. */
    private static final int SOCKET_SECONDS = 8;

    private static final String QUERY_LIMITS = limitsSql(5_000, 2_000, 5_000);
    private static final String MAINTENANCE_LIMITS = limitsSql(0, 30_000, 60_000);

    /** Connections for the ledger writer and for maintenance, in addition to the readers. */
    private static final int EXTRA_CONNECTIONS = 3;

    private static final long BORROW_MILLIS = 1_500;
    private static final long VALIDATE_MILLIS = 1_000;

    private final PostgresOptions options;

    PostgresConnector(PostgresOptions options) {
        this.options = options;
    }

    /**
     * Returns what is wrong with the URL. The message does not contain the URL, since it is unknown which part of a
     * malformed URL is secret.
     */
    Optional<String> urlProblem() {
        if (USER_IN_FRONT.matcher(options.url()).find()) {
            return Optional.of(
                    "The address of the ledger's database must not contain a user before the host. Set 'user' and 'password' next to the address instead.");
        }
        try {
            DriverManager.getDriver(options.url());
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(
                    "The address of the ledger's database is invalid. Write 'jdbc:postgresql://HOST:PORT/DATABASE', optionally followed by '?' and parameters. In a parameter's value, escape special characters: write '&' as %26 and '%' as %25.");
        }
    }

    /**
     * Returns SQL that sets time limits on the server, in milliseconds. They are set by SQL because a pooler such as
     * PgBouncer rejects connections with these startup parameters, and because options in the URL would replace them.
     * Values that the URL sets are left unchanged. With the keep-alive settings, a server that has lost contact with
     * this process releases its locks within seconds; with default settings it may take hours.
     */
    private static String limitsSql(int statement, int lock, int idle) {
        return """
                SELECT set_config(wanted.name, wanted.value, false)
                FROM (VALUES
                    ('statement_timeout', '%d'),
                    ('lock_timeout', '%d'),
                    ('idle_in_transaction_session_timeout', '%d'),
                    ('tcp_keepalives_idle', '10'),
                    ('tcp_keepalives_interval', '5'),
                    ('tcp_keepalives_count', '3'),
                    ('tcp_user_timeout', '10000')) AS wanted (name, value)
                JOIN pg_settings ON pg_settings.name = wanted.name
                WHERE pg_settings.source <> 'client'
                """.formatted(statement, lock, idle);
    }

    /** Opens a connection for short queries. */
    Connection connectForQueries() throws SQLException {
        return connect(QUERY_LIMITS, SOCKET_SECONDS);
    }

    /** Opens a connection for maintenance, without a time limit for statements. */
    Connection connectForMaintenance() throws SQLException {
        return connect(MAINTENANCE_LIMITS, 0);
    }

    private Connection connect(String limits, int socketSeconds) throws SQLException {
        Connection connection = DriverManager.getConnection(options.url(), properties(socketSeconds));
        try (Statement statement = connection.createStatement()) {
            statement.execute(limits);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    HikariDataSource createPool() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("gavel-ledger");
        config.setJdbcUrl(options.url());
        config.setDataSourceProperties(properties(SOCKET_SECONDS));
        config.setConnectionInitSql(QUERY_LIMITS);
        config.setMaximumPoolSize(options.readers() + EXTRA_CONNECTIONS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(BORROW_MILLIS);
        config.setValidationTimeout(VALIDATE_MILLIS);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private Properties properties(int socketSeconds) {
        Properties properties = new Properties();
        options.user().ifPresent(user -> properties.setProperty("user", user));
        options.password().ifPresent(password -> properties.setProperty("password", password));
        properties.setProperty("ApplicationName", "gavel");
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS * 2));
        properties.setProperty("socketTimeout", Integer.toString(socketSeconds));
        properties.setProperty("tcpKeepAlive", "true");
        // Otherwise exceptions contain the values to be written, for the whole batch.
        properties.setProperty("logServerErrorDetail", "false");
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
