package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests commands that are stopped while they wait. */
class CommandInterruptTest extends CommandTestBase {
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process process(String identity, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.gavel.app.Main"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("stderr").toFile());
        builder.environment().put("GAVEL_URL", url());
        builder.environment().put("GAVEL_TOKEN", identity + TestServer.SECRET);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private String interrupt(Process process) throws Exception {
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return Files.readString(directory.resolve("stderr"));
    }

    @Test
    void whoStopsWaitingIsToldThatTheProposalStaysOpen() throws Exception {
        Process process = process("helper", "propose", "ops", "--tool", "write_file", "--wait");
        var out = process.inputReader(UTF_8);
        String id = id(String.valueOf(out.readLine()));
        // The command prints the status while it waits.
        assertThat(out.readLine()).startsWith("waiting for alice or bob (not connected)");
        assertThat(interrupt(process))
                .isEqualTo("gavel: " + id + " stays open; withdraw it with: gavel withdraw ops " + id + "\n");
        assertThat(process.exitValue()).isNotZero();
        assertThat(run("helper", "withdraw", "ops", id).exit()).isZero();
    }

    @Test
    void whoStopsWatchingHasSeenEnough() throws Exception {
        Process process = process("alice", "topic", "watch", "ops");
        assertThat(process.inputReader(UTF_8).readLine()).contains("system.welcome");
        assertThat(interrupt(process)).isEmpty();
        assertThat(process.exitValue()).isZero();
    }
}
