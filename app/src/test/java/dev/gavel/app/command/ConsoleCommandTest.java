package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.interop.GavelProcessCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests where {@code gavel serve} serves the console, and how {@code gavel console} finds it. */
class ConsoleCommandTest {
    @TempDir
    private Path directory;

    private final List<Process> running = new ArrayList<>();

    @AfterEach
    void stop() {
        running.forEach(Process::destroyForcibly);
    }

    /** The console's URL in the lines that a server prints when it starts. */
    private String serve(Map<String, String> environment, String... options) throws IOException {
        Process process = start(environment, options);
        BufferedReader output = process.inputReader(UTF_8);
        String line = output.readLine();
        while (line != null && !line.startsWith("console: ")) {
            line = output.readLine();
        }
        assertThat(line)
                .as(Files.readString(directory.resolve("stderr")))
                .isNotNull()
                .startsWith("console: ");
        return line.substring("console: ".length()).strip();
    }

    private Process start(Map<String, String> environment, String... options) throws IOException {
        List<String> command = new ArrayList<>(GavelProcessCommand.command("serve"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("stderr").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        running.add(process);
        return process;
    }

    private RunningCommand.Result console(String... options) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("console", "--data", directory.resolve("data").toString()));
        words.addAll(List.of(options));
        return RunningCommand.start(directory, Map.of(), words.toArray(String[]::new))
                .awaitEnd();
    }

    @Test
    void theAddressIsShownWhileTheServerRuns() throws Exception {
        String link = serve(Map.of(), "--listen", "127.0.0.1:0", "--data", "data");
        assertThat(link).matches("http://gavel-[a-z2-9]{20}\\.localhost:\\d+/sign-in\\?code=\\S+ \\(one-time.*");
        RunningCommand.Result shown = console();
        assertThat(shown.exit()).as(shown.err()).isZero();
        assertThat(link).startsWith(shown.out().strip());
        assertThat(console("--json").json().at("console").text())
                .isEqualTo(shown.out().strip());
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("data/console-address"))))
                .isEqualTo("rw-------");

        running.getFirst().destroy();
        assertThat(running.getFirst().waitFor(30, TimeUnit.SECONDS)).isTrue();
        RunningCommand.Result after = console();
        assertThat(after.exit()).isEqualTo(1);
        assertThat(after.err()).contains("no running server with a console uses", "--data");
    }

    @Test
    void onAnotherAddressThereIsAConsoleOnlyWithAPublicUrl() throws Exception {
        assertThat(serve(Map.of(), "--listen", "0.0.0.0:0", "--data", "data")).startsWith("off ");
        assertThat(console().exit()).isEqualTo(1);
        running.getFirst().destroyForcibly().waitFor();
        assertThat(serve(
                        Map.of("GAVEL_PUBLIC_URL", "https://gavel.example.org"),
                        "--listen",
                        "0.0.0.0:0",
                        "--data",
                        "data"))
                .startsWith("https://gavel.example.org/sign-in?code=");
        assertThat(console().out()).isEqualTo("https://gavel.example.org/\n");
    }

    @Test
    void aPublicUrlThatOtherProgramsHaveIsRefused() throws Exception {
        for (String url :
                new String[] {"http://localhost:8080", "http://127.0.0.1:8080", "http://gavel.localhost:80"}) {
            Process process = start(Map.of("GAVEL_PUBLIC_URL", url), "--listen", "127.0.0.1:0", "--data", "data");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(2);
            assertThat(Files.readString(directory.resolve("stderr"))).contains("GAVEL_PUBLIC_URL", "RANDOM.localhost");
        }
    }

    /**
     * Whether the machine has ::1. The tests start the program as a process, because the test process itself runs with
     * {@code java.net.preferIPv4Stack}.
     */
    private static boolean hasIpv6() throws IOException {
        Path addresses = Path.of("/proc/net/if_inet6");
        return Files.exists(addresses) && Files.readString(addresses).contains("00000000000000000000000000000001");
    }

    private int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    @Test
    void theServerListensOnBothLoopbackAddresses() throws Exception {
        Assumptions.assumeTrue(hasIpv6());
        int port = freePort();
        serve(Map.of(), "--listen", "127.0.0.1:" + port, "--data", "data");
        // The test process itself does not use IPv6.
        Process health = new ProcessBuilder(GavelProcessCommand.command("health", "--url", "http://[::1]:" + port))
                .redirectErrorStream(true)
                .start();
        running.add(health);
        assertThat(new String(health.getInputStream().readAllBytes(), UTF_8)).isEqualTo("ready\n");
    }

    @Test
    void theServerDoesNotStartIfAnotherProgramHasThePortOnTheOtherLoopbackAddress() throws Exception {
        Assumptions.assumeTrue(hasIpv6());
        int port = freePort();
        serve(Map.of("GAVEL_PUBLIC_URL", "https://gavel.example.org"), "--listen", "[::1]:" + port, "--data", "other");
        Process second = start(Map.of(), "--listen", "127.0.0.1:" + port, "--data", "data");
        assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(2);
        assertThat(Files.readString(directory.resolve("stderr")))
                .contains("cannot listen on [::1]:" + port, "The console needs its port on 127.0.0.1 and on ::1");
    }
}
