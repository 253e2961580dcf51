package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the demo's server with MCP clients of other projects. */
final class SampleServerTest {
    @TempDir
    Path sandbox;

    private List<String> server() {
        return GavelProcessCommand.command("demo-files", sandbox.toString());
    }

    @Test
    void theTypeScriptClientListsReadsWritesAndDeletesFiles() throws Exception {
        Files.writeString(sandbox.resolve("old.txt"), "old news");
        for (int i = 0; i < 250; i++) {
            Files.writeString(sandbox.resolve("file" + i), "");
        }
        try (TypeScriptSdkClient client = TypeScriptSdkClient.over(server())) {
            assertThat(client.server().at("server").at("name").text()).isEqualTo("gavel-sample-files");
            assertThat(client.tools()).containsExactly("list_files", "read_file", "write_file", "delete_file");

            client.call("slow", "list_files", "{}", true);
            assertThat(client.progress("slow").at("progress").asLong(0)).isEqualTo(100);
            assertThat(client.progress("slow").at("message").text()).isEqualTo("200 files found");
            // The client itself validates structured content against the tool's schema.
            assertThat(client.result("slow").at("structuredContent").at("files").elements())
                    .hasSize(251);

            assertThat(resultText(client.call("read_file", "{\"path\":\"old.txt\"}")))
                    .isEqualTo("old news");
            assertThat(resultText(client.call("write_file", "{\"path\":\"a/b.txt\",\"text\":\"new\"}")))
                    .isEqualTo("created 'a/b.txt'.");
            assertThat(resultText(client.call("delete_file", "{\"path\":\"old.txt\"}")))
                    .isEqualTo("deleted 'old.txt'; moved it to '.trash/old.txt'.");
        }
        assertThat(sandbox.resolve("a/b.txt")).hasContent("new");
        assertThat(sandbox.resolve("old.txt")).doesNotExist();
        assertThat(sandbox.resolve(".trash/old.txt")).hasContent("old news");
    }

    @Test
    void theInspectorSeesWhatAToolDoesAndHowItFails() throws Exception {
        InspectorRun list = InspectorRun.over(server(), "--method", "tools/list");
        Json delete = list.result().at("tools").elements().getLast();
        assertThat(delete.at("annotations").at("destructiveHint").isTrue()).isTrue();

        InspectorRun call = InspectorRun.over(
                server(), "--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=../secret");
        assertThat(call.out()).contains("must not contain '..'", "\"isError\": true");
    }

    private static String resultText(Json result) {
        assertThat(result.at("isError").isTrue()).as(result.raw()).isFalse();
        return result.at("content").elements().getFirst().at("text").text();
    }
}
