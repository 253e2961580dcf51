package dev.gavel.bench.chaos;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** A PostgreSQL server, from binaries that Maven brings, with its data in a directory. Used by one thread at a time. */
final class Database implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Path directory;
    private final int port;
    private EmbeddedPostgres server;

    Database(Path directory, int port) throws IOException {
        this.directory = directory;
        this.port = port;
        this.server = start();
    }

    private EmbeddedPostgres start() throws IOException {
        return EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(directory.resolve("postgres"))
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(true)
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("max_connections", "200")
                .setServerConfig("shared_buffers", "64MB")
                .setPGStartupWait(START)
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("postgres.log").toFile()))
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("postgres.log").toFile()))
                .start();
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Ends all sessions and the server, and starts it anew on the same data. */
    void restart() throws IOException {
        server.close();
        server = start();
    }

    /** Ends sessions of others, each with this likelihood, by a number that the seed gives; says how many. */
    int terminate(double likelihood, double seed) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                PreparedStatement seeding = connection.prepareStatement("SELECT setseed(?)");
                PreparedStatement ending = connection.prepareStatement("""
                        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < ?""")) {
            seeding.setDouble(1, seed);
            seeding.execute();
            ending.setDouble(1, likelihood);
            try (ResultSet result = ending.executeQuery()) {
                result.next();
                return result.getInt(1);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
