package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the programs of other projects are installed and work, so that a failure with Gavel in between is Gavel's.
 */
final class InteropTest {
    @Test
    void theInspectorSpeaksToTheFilesystemServer(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.toRealPath().resolve("note.txt"), "remember the milk");

        InspectorRun run = InspectorRun.over(
                InteropPrograms.filesystem(directory.toRealPath()),
                "--method",
                "tools/call",
                "--tool-name",
                "read_text_file",
                "--tool-arg",
                "path=" + file);

        assertThat(run.result().at("content").raw()).contains("remember the milk");
    }

    @Test
    void theTypeScriptClientSpeaksToTheServerOfEverything() throws Exception {
        try (TypeScriptSdkClient client = TypeScriptSdkClient.over(InteropPrograms.everything())) {
            assertThat(client.tools()).contains("echo", "get-sum");
            assertThat(client.call("echo", "{\"message\":\"hello\"}")
                            .at("content")
                            .raw())
                    .contains("hello");
        }
    }

    @Test
    void theLockFileNamesNoPlaceToDownloadFrom() throws Exception {
        assertThat(Files.readString(InteropPrograms.folder().resolve("package-lock.json")))
                .doesNotContain("\"resolved\": \"http");
    }
}
