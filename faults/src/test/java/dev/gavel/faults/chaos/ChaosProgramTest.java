package dev.gavel.faults.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.server.ConditionWaiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the chaos program's command line, and that an interrupted run leaves nothing behind. */
@Timeout(120)
class ChaosProgramTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    /**
     * Starts the chaos program as a process with its own temporary directory, and with a program to run as gateways.
     */
    private Process chaos(String program) throws IOException {
        Files.createDirectories(temporary());
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + temporary(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChaosRunner.class.getName(),
                        "--gateways",
                        "1",
                        "--seeds",
                        "2",
                        "--seconds",
                        "5",
                        "--server-command",
                        program)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("printed").toFile())
                .start();
    }

    private Path temporary() {
        return directory.resolve("tmp");
    }

    private String printed() {
        try {
            return Files.readString(directory.resolve("printed"));
        } catch (IOException _) {
            return "";
        }
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(temporary())) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.startsWith("gavel-chaos-"))
                    .toList();
        }
    }

    @Test
    void everySeedIsNamedBeforeItBeginsAndOneThatBreaksOffKeepsNoneFromTheirTurn() throws Exception {
        Process chaos = chaos("/nowhere/gavel");
        assertThat(chaos.waitFor(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(printed())
                .containsSubsequence(
                        "seed 1: started in " + temporary().resolve("gavel-chaos-1-"),
                        "seed 1: FAILED; the run was aborted",
                        "Cannot run program \"/nowhere/gavel\"",
                        "violations: 1; logs and journals: " + temporary().resolve("gavel-chaos-1-"),
                        "seed 2: started in ",
                        "seed 2: FAILED",
                        "2 of 2 seeds failed: [1, 2]");
        assertThat(chaos.exitValue()).isEqualTo(1);
        assertThat(left()).hasSize(2);
    }

    @Test
    void whereItIsEndedInTheMiddleNothingRunsOnAndNothingIsLeft() throws Exception {
        Path pid = directory.resolve("pid");
        Path program = Files.writeString(
                directory.resolve("program"), "echo $$ >%1$s.next; mv %1$s.next %1$s; exec sleep 600".formatted(pid));
        Process chaos = chaos("sh " + program);
        ConditionWaiter.require("a gateway is being started", SOON, () -> Files.exists(pid));
        assertThat(left()).hasSize(1);
        chaos.destroy();
        assertThat(chaos.waitFor(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(left()).isEmpty();
        assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                        .filter(ProcessHandle::isAlive))
                .isEmpty();
        assertThat(printed()).doesNotContain("HOLD", "seed 2");
    }
}
