package dev.gavel.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a server in its own process that a test can kill and restart on the same data. */
public final class TestProcess implements AutoCloseable {
    private final Path directory;
    private final Process process;
    private final int port;

    /** Starts a server in a directory, which holds its configuration and data. */
    public TestProcess(Path directory, String config) throws IOException {
        this(directory, config, Map.of());
    }

    /** Starts a server with these additional environment variables. */
    TestProcess(Path directory, String config, Map<String, String> environment) throws IOException {
        this(List.of(), directory, config, environment);
    }

    /** Starts a server through another program, which replaces itself with the server. */
    TestProcess(List<String> launcher, Path directory, String config, Map<String, String> environment)
            throws IOException {
        this.directory = directory;
        Path file = Files.writeString(directory.resolve("gavel.yaml"), config);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        "dev.gavel.app.Main",
                        "serve",
                        "--config",
                        file.toString())
                .directory(directory.toFile())
                .redirectError(directory.resolve("stderr").toFile());
        builder.command().addAll(0, launcher);
        builder.environment().putAll(environment);
        process = builder.start();
        String line = process.inputReader(UTF_8).readLine();
        assertThat(line).as(standardError()).startsWith("listening on http://127.0.0.1:");
        port = URI.create(line.substring("listening on ".length())).getPort();
    }

    public int port() {
        return port;
    }

    Socket socket() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /** Connects an identity to the topic {@code ops}; the first envelope it reads is the welcome. */
    TestSocket open(String identity, String extraQuery) throws IOException {
        TestSocket socket = TestServer.open(socket(), identity, "topic=ops" + extraQuery);
        assertThat(socket.status()).isEqualTo(101);
        return socket;
    }

    TestSocket join(String identity) throws IOException {
        TestSocket socket = open(identity, "");
        assertThat(socket.envelope().path("kind").asString()).isEqualTo("system.welcome");
        return socket;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has written to standard error. */
    String standardError() throws IOException {
        return Files.readString(directory.resolve("stderr"));
    }

    /** Stops the server gracefully and returns its exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("it stops").isTrue();
        return process.exitValue();
    }

    /** Kills the server. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
