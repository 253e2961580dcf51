package dev.gavel.bench.server;

import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Owns the temporary directory and the server processes of one run, and removes both when it is closed or the JVM ends.
 * Thread-safe.
 */
public final class RunWorkspace implements AutoCloseable {
    private final Path directory;
    private final List<ServerProcess> servers = new ArrayList<>();
    private final Thread hook = new Thread(this::cleanUp, "clear the workbench");
    private boolean cleanedUp;

    private RunWorkspace(Path directory) {
        this.directory = directory;
    }

    /** Opens a workspace with an empty directory. */
    public static RunWorkspace open() throws IOException {
        return open(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** Opens a workspace with an empty directory below another, to choose its disk. */
    public static RunWorkspace open(Path parent) throws IOException {
        RunWorkspace runWorkspace = new RunWorkspace(Files.createTempDirectory(parent, "gavel-bench"));
        Runtime.getRuntime().addShutdownHook(runWorkspace.hook);
        return runWorkspace;
    }

    /** The directory, which only the current user can read. */
    public Path directory() {
        return directory;
    }

    /** Starts a server that ends with the workspace. */
    public synchronized ServerProcess start(String name, List<String> command) {
        return start(name, command, Map.of());
    }

    /** Starts a server that ends with the workspace, with additional environment variables. */
    public synchronized ServerProcess start(String name, List<String> command, Map<String, String> environment) {
        if (cleanedUp) {
            throw new RunFailedException(name + " was not started: the run is ending");
        }
        ServerProcess server = ServerProcess.start(name, command, environment);
        servers.add(server);
        return server;
    }

    @Override
    public void close() {
        cleanUp();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // Already shutting down: the hook finds nothing left to do.
        }
    }

    private synchronized void cleanUp() {
        if (cleanedUp) {
            return;
        }
        cleanedUp = true;
        servers.forEach(ServerProcess::close);
        try {
            delete(directory);
        } catch (IOException e) {
            System.err.println("cannot delete " + directory + ": " + e.getMessage());
        }
    }

    private static void delete(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
