package dev.gavel.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void theAddressIsReadFromTheLineThatSaysIt() throws IOException, InterruptedException {
        try (RunWorkspace runWorkspace = RunWorkspace.open()) {
            ServerProcess server = runWorkspace.start(
                    "it",
                    List.of("sh", "-c", "echo starting; echo 'listening on http://127.0.0.1:4285'; exec sleep 60"));
            assertThat(server.awaitAddress(PATIENCE).getPort()).isEqualTo(4285);
            assertThat(server.awaitAddress(PATIENCE).getHostString()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void aServerThatEndsInsteadIsQuoted() throws IOException {
        try (RunWorkspace runWorkspace = RunWorkspace.open()) {
            ServerProcess server = runWorkspace.start("it", List.of("sh", "-c", "echo no such file >&2; exit 2"));
            assertThatThrownBy(() -> server.awaitAddress(PATIENCE))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageStartingWith("it did not start")
                    .hasMessageContaining("no such file");
        }
    }

    @Test
    void aCommandThatIsNotThereIsNamed() throws IOException {
        try (RunWorkspace runWorkspace = RunWorkspace.open()) {
            assertThatThrownBy(() -> runWorkspace.start("it", List.of("./no-such-command")))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("./no-such-command");
        }
    }

    @Test
    void closingTheWorkbenchEndsProcessesAndDeletesTheDirectory() throws IOException, InterruptedException {
        ServerProcess server;
        Path directory;
        try (RunWorkspace runWorkspace = RunWorkspace.open()) {
            directory = runWorkspace.directory();
            Files.createDirectories(directory.resolve("data"));
            Files.writeString(directory.resolve("data").resolve("file"), "text");
            server = runWorkspace.start(
                    "it", List.of("sh", "-c", "echo 'listening on http://127.0.0.1:1'; exec sleep 60"));
            server.awaitAddress(PATIENCE);
            assertThat(server.isAlive()).isTrue();
        }
        assertThat(server.isAlive()).isFalse();
        assertThat(directory).doesNotExist();
    }

    @Test
    void processorTimeCountsWhatAThreadHasUsed() {
        CpuTimeSnapshot before = CpuTimeSnapshot.ofThisProcess();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        while (threads.getCurrentThreadCpuTime() - start < 60_000_000) {
            Thread.onSpinWait();
        }
        // The figure of a running thread may be one scheduler tick old.
        assertThat(CpuTimeSnapshot.ofThisProcess().since(before)).isGreaterThan(40_000_000);
        CpuTimeSnapshot now = CpuTimeSnapshot.ofThisProcess();
        assertThat(now.since(now)).isZero();
    }
}
