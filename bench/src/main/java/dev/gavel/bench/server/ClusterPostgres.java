package dev.gavel.bench.server;

import dev.gavel.bench.load.RunFailedException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Starts, restarts and stops the PostgreSQL server of a {@link GatewayCluster}, and terminates database sessions. Once
 * closed it is not started again. Thread-safe.
 */
public final class ClusterPostgres implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Path directory;
    private final int port;
    private @Nullable EmbeddedPostgres server;
    private boolean closed;

    /** Creates a server that does not run yet. */
    ClusterPostgres(Path directory, int port) {
        this.directory = directory;
        this.port = port;
    }

    synchronized void start() throws IOException {
        if (closed) {
            throw new RunFailedException("PostgreSQL was not started: the run is ending");
        }
        server = EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(directory.resolve("postgres"))
                .setCleanDataDirectory(false)
                // The cluster stops it; its own shutdown hook could no longer be registered while the process ends.
                .setRegisterShutdownHook(false)
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

    /** Ends all sessions and the server, and restarts it on the same data. */
    public synchronized void restart() throws IOException {
        requireServer().close();
        start();
    }

    private synchronized EmbeddedPostgres requireServer() {
        if (server == null) {
            throw new IllegalStateException("PostgreSQL was not started");
        }
        return server;
    }

    /** Terminates each session of other clients with this probability, as the seed determines; returns their number. */
    public int terminateSessions(double likelihood, double seed) throws SQLException {
        try (Connection connection = requireServer().getPostgresDatabase().getConnection();
                PreparedStatement seeding = connection.prepareStatement("SELECT setseed(?)");
                PreparedStatement terminate = connection.prepareStatement("""
                        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < ?""")) {
            seeding.setDouble(1, seed);
            seeding.execute();
            terminate.setDouble(1, likelihood);
            try (ResultSet result = terminate.executeQuery()) {
                result.next();
                return result.getInt(1);
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        if (server != null) {
            server.close();
        }
        killHalfStarted();
    }

    /** Kills the server that an interrupted start may have left; only its PID file identifies it. */
    private void killHalfStarted() throws IOException {
        Path file = directory.resolve("postgres").resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return;
        }
        try {
            String pid = Files.readAllLines(file).getFirst().strip();
            ProcessHandle.of(Long.parseLong(pid))
                    .filter(process -> process.info().command().orElse("").endsWith("postgres"))
                    .ifPresent(ProcessHandle::destroyForcibly);
        } catch (NoSuchFileException | NoSuchElementException | NumberFormatException _) {
            // It has just ended.
        }
    }
}
