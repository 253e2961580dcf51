package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.interop.InteropPrograms;
import dev.gavel.mcpx.json.Json;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what clients see while a bridged server has not started yet. */
final class ListWhileServerStartsTest {
    @Test
    void aClientThatWaitsFewSecondsGetsTheListAndLearnsOfLaterTools(@TempDir Path directory) throws Exception {
        Path go = directory.resolve("go");
        String words = String.join("' '", InteropPrograms.everything().toArray(String[]::new));
        Path script = Files.writeString(
                directory.resolve("server.sh"),
                "while ! test -e '" + go + "'; do sleep 0.1; done\nexec '" + words + "'\n");
        String bridges = "bridges:\n  everything: {topic: ops, command: "
                + InteropPrograms.yaml(List.of("sh", script.toString())) + "}\n";
        try (TestServer server = new TestServer(TestServer.CONFIG + bridges, 1)) {
            TestMcpClient alice = new TestMcpClient(server, "ops", "alice");
            alice.initialize();
            TestMcpClient.PendingResponse general = alice.listen(null);
            HttpResponse<String> response = TestMcpClient.HTTP.send(
                    alice.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
                            .timeout(Duration.ofMillis(4_500))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.body()).contains("\"tools\"").doesNotContain("get-sum");

            Files.createFile(go);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> isToolsChange(general.next().orElseThrow()));
            await().atMost(Duration.ofSeconds(60)).until(() -> alice.tools().contains("get-sum"));
        }
    }

    private static boolean isToolsChange(Json message) {
        return message.at("method").text().equals("notifications/tools/list_changed");
    }
}
