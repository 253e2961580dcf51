package dev.gavel.app.proposal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the server of a test topic runs: in the test's process or in its own, which can be killed. */
record TestTopicHost(int port, Runnable stop) {
    /** Starts a host, repeatedly, on the same configuration. */
    interface Launcher {
        TestTopicHost up() throws IOException;
    }

    static TestTopicHost inTestProcess(String config) throws IOException {
        TestServer server = new TestServer(config, 2);
        return new TestTopicHost(server.listen().port(), server::close);
    }

    /** Starts a separate process, which is killed when it is stopped. */
    static TestTopicHost inSeparateProcess(Path directory, String config) throws IOException {
        Path file = Files.writeString(directory.resolve("gavel.yaml"), config);
        Path errors = directory.resolve("stderr");
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        "dev.gavel.app.Main",
                        "serve",
                        "--config",
                        file.toString())
                .directory(directory.toFile())
                .redirectError(errors.toFile())
                .start();
        String line = process.inputReader(UTF_8).readLine();
        assertThat(line).as(Files.readString(errors)).startsWith("listening on http://127.0.0.1:");
        return new TestTopicHost(
                URI.create(line.substring("listening on ".length())).getPort(),
                () -> process.destroyForcibly().onExit().join());
    }
}
