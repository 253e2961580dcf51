package dev.gavel.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterNatsTest {
    @TempDir
    private Path directory;

    @Test
    void theEnvironmentNamesItsFile() {
        assertThat(ClusterNats.findProgram(Map.of("NATS_SERVER", "/opt/nats", "PATH", "/bin")::get))
                .isEqualTo("/opt/nats");
    }

    @Test
    void elseItIsLookedForOnThePathFirst() throws IOException {
        Path program = Files.createFile(
                directory.resolve("nats-server"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThat(ClusterNats.findProgram(Map.of("NATS_SERVER", " ", "PATH", "/nowhere::" + directory)::get))
                .isEqualTo(program.toString());
    }

    @Test
    void whereItIsNotOnThePathItIsFoundWhereDebianHasIt() {
        assertThat(ClusterNats.findProgram(Map.of("PATH", "/nowhere")::get)).endsWith("bin/nats-server");
    }

    @Test
    void onceClosedItIsNotStarted() {
        ClusterNats server = new ClusterNats(directory, 1, 2);
        server.close();
        assertThatThrownBy(server::start)
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("the run is ending");
    }
}
