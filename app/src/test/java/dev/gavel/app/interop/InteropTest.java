package dev.gavel.app.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The software of others is there and works, so that a failure with Gavel in between is Gavel's. */
final class InteropTest {
    @Test
    void theInspectorSpeaksToTheFilesystemServer(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.toRealPath().resolve("note.txt"), "remember the milk");
        List<String> command = new ArrayList<>(Interop.filesystem(directory.toRealPath()));
        command.addAll(List.of("--method", "tools/call", "--tool-name", "read_text_file"));
        command.addAll(List.of("--tool-arg", "path=" + file));

        Process process = new ProcessBuilder(Interop.inspector(command.toArray(String[]::new)))
                .redirectError(directory.resolve("stderr").toFile())
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor())
                .as(() -> answer + "\n" + directory.resolve("stderr"))
                .isZero();
        assertThat(answer).contains("remember the milk");
    }

    @Test
    void theLockFileNamesNoPlaceToDownloadFrom() throws Exception {
        assertThat(Files.readString(Interop.folder().resolve("package-lock.json")))
                .doesNotContain("\"resolved\": \"http");
    }
}
