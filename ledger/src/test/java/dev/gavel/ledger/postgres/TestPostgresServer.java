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
 * Starts an embedded PostgreSQL server for tests and creates databases, schemas and standbys in it. It ends with the
 * process. Thread-safe.
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

    /** The one server that all tests of this process share; a test has a database of its own in it. */
    public static TestPostgresServer shared() {
        return Shared.SERVER;
    }

    /** A server of one's own, to be stopped and started. */
    public static TestPostgresServer start() {
        try {
            return new TestPostgresServer(Files.createTempDirectory("gavel-postgres"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a copy of this one that follows it, can only be read, and becomes a server like any other when it is told
     * {@code pg_promote()}. This one is stopped for a moment.
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

    /** The address of a database that was not there before, with its user in it. */
    public String freshDatabase() {
        String name = "test" + DATABASES.incrementAndGet();
        execute(address("postgres"), "CREATE DATABASE " + name);
        return address(name);
    }

    /** The address of a schema that was not there before, which is made sooner than a database. */
    public String freshSchema() {
        String name = "test" + DATABASES.incrementAndGet();
        execute(address("postgres"), "CREATE SCHEMA " + name);
        return address("postgres") + "&currentSchema=" + name;
    }

    private String address(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
    }

    /** Runs SQL in a database, and gives the first number of its answer, if it has one. */
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

    /** Ends all connections to a database, from the server's side; how many there were. */
    public long killConnections(String url) {
        return execute(
                url,
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    /** Stops it as an operator would, connections or not. */
    public synchronized void stop() {
        try {
            running.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it again after {@link #stop}, on the same port and with what it had. */
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
