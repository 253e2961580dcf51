package dev.gavel.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.LoadFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BusServerTest {
    @TempDir
    private Path directory;

    @Test
    void theEnvironmentNamesItsFile() {
        assertThat(BusServer.program(Map.of("NATS_SERVER", "/opt/nats", "PATH", "/bin")::get))
                .isEqualTo("/opt/nats");
    }

    @Test
    void elseItIsLookedForOnThePathFirst() throws IOException {
        Path program = Files.createFile(
                directory.resolve("nats-server"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThat(BusServer.program(Map.of("NATS_SERVER", " ", "PATH", "/nowhere::" + directory)::get))
                .isEqualTo(program.toString());
    }

    @Test
    void whereItIsNotOnThePathItIsFoundWhereDebianHasIt() {
        assertThat(BusServer.program(Map.of("PATH", "/nowhere")::get)).endsWith("bin/nats-server");
    }

    @Test
    void onceClosedItIsNotStarted() {
        BusServer server = new BusServer(directory, 1, 2);
        server.close();
        assertThatThrownBy(server::start).isInstanceOf(LoadFailure.class).hasMessageContaining("over");
    }
}
