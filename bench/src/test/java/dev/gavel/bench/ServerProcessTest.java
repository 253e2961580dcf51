package dev.gavel.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        try (Workbench workbench = Workbench.open()) {
            ServerProcess server = workbench.start(
                    "it",
                    List.of("sh", "-c", "echo starting; echo 'listening on http://127.0.0.1:4285'; exec sleep 60"));
            assertThat(server.address(PATIENCE).getPort()).isEqualTo(4285);
            assertThat(server.address(PATIENCE).getHostString()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void aServerThatEndsInsteadIsQuoted() throws IOException {
        try (Workbench workbench = Workbench.open()) {
            ServerProcess server = workbench.start("it", List.of("sh", "-c", "echo no such file >&2; exit 2"));
            assertThatThrownBy(() -> server.address(PATIENCE))
                    .isInstanceOf(LoadFailure.class)
                    .hasMessageStartingWith("it does not listen")
                    .hasMessageContaining("no such file");
        }
    }

    @Test
    void aCommandThatIsNotThereIsNamed() throws IOException {
        try (Workbench workbench = Workbench.open()) {
            assertThatThrownBy(() -> workbench.start("it", List.of("./no-such-command")))
                    .isInstanceOf(LoadFailure.class)
                    .hasMessageContaining("./no-such-command");
        }
    }

    @Test
    void closingTheWorkbenchEndsProcessesAndDeletesTheDirectory() throws IOException, InterruptedException {
        ServerProcess server;
        Path directory;
        try (Workbench workbench = Workbench.open()) {
            directory = workbench.directory();
            Files.createDirectories(directory.resolve("data"));
            Files.writeString(directory.resolve("data").resolve("file"), "text");
            server =
                    workbench.start("it", List.of("sh", "-c", "echo 'listening on http://127.0.0.1:1'; exec sleep 60"));
            server.address(PATIENCE);
            assertThat(server.isAlive()).isTrue();
        }
        assertThat(server.isAlive()).isFalse();
        assertThat(directory).doesNotExist();
    }

    @Test
    void processorTimeCountsWhatAThreadHasUsed() {
        CpuTime before = CpuTime.own();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        while (threads.getCurrentThreadCpuTime() - start < 60_000_000) {
            Thread.onSpinWait();
        }
        // A running thread's figure may be a scheduler's tick old.
        assertThat(CpuTime.own().since(before)).isGreaterThan(40_000_000);
        CpuTime now = CpuTime.own();
        assertThat(now.since(now)).isZero();
    }
}
