package dev.gavel.ledger.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Starts an embedded PostgreSQL server for tests and creates databases, schemas and standbys in it. The server ends
 * with the process. Thread-safe.
 */
public final class TestPostgresServer implements AutoCloseable {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final Path directory;
    private final int port;
    private EmbeddedPostgres running;

    private TestPostgresServer(Path directory) throws IOException {
        this.directory = directory;
        this.running = run(0);
        this.port = running.getPort();
    }

    /** Returns the server that all tests of this process share; each test creates its own database in it. */
    public static TestPostgresServer shared() {
        return Shared.SERVER;
    }

    /** Starts a separate server, which a test may stop and start. */
    public static TestPostgresServer start() {
        try {
            return new TestPostgresServer(Files.createTempDirectory("gavel-postgres"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates a read-only standby that follows this server and becomes a primary by {@code pg_promote()}. Stops this
     * server for a moment.
     */
    public synchronized TestPostgresServer standby() {
        try {
            Path copy = Files.createTempDirectory("gavel-postgres");
            stop();
            copyTo(copy);
            running = run(port);
            Path data = copy.resolve("data");
            Files.createFile(data.resolve("standby.signal"));
            Files.writeString(
                    data.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres application_name=standby'\n"
                            .formatted(port));
            return new TestPostgresServer(copy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void copyTo(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.skip(1).toList()) {
                Files.copy(
                        each, copy.resolve(directory.relativize(each).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private EmbeddedPostgres run(int at) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(directory.resolve("data").toFile())
                .setCleanDataDirectory(false)
                .setPort(at)
                .setServerConfig("max_connections", "100")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    public int port() {
        return port;
    }

    /** Creates a database and returns its URL, which contains the user. */
    public String freshDatabase() {
        String name = "test" + DATABASES.incrementAndGet();
        execute(address("postgres"), "CREATE DATABASE " + name);
        return address(name);
    }

    /** Creates a schema, which is faster than a database, and returns its URL. */
    public String freshSchema() {
        String name = "test" + DATABASES.incrementAndGet();
        execute(address("postgres"), "CREATE SCHEMA " + name);
        return address("postgres") + "&currentSchema=" + name;
    }

    private String address(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
    }

    /** Runs SQL in a database and returns the first number of the result, if there is one. */
    public long execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return statement.getUpdateCount();
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? rows.getLong(1) : 0;
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** Terminates all connections to a database on the server and returns their number. */
    public long killConnections(String url) {
        return execute(
                url,
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    /** Stops the server like an operator would, even if there are connections. */
    public synchronized void stop() {
        try {
            running.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the server again after {@link #stop}, on the same port and with the same data. */
    public synchronized void startAgain() {
        try {
            running = run(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }

    private static final class Shared {
        static final TestPostgresServer SERVER = start();
    }
}
