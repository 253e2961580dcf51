package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests MCP servers of other projects behind the bridge. */
final class BridgedServersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static String bridge(String name, String target) {
        return TestServer.CONFIG + "bridges:\n  " + name + ": {topic: ops, " + target + "}\n";
    }

    private static String request(String id, String to, String method, String params) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"to\":[\"" + to + "\"],\"kind\":\"mcp.request."
                + method + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":"
                + params + "}}";
    }

    private static Json answer(TestSocket socket, String request, List<Json> before) throws IOException {
        while (true) {
            Json envelope = Json.parse(socket.read().text()).orElseThrow();
            if (envelope.at("correlationId").text().equals(request)
                    || envelope.at("correlation_id").text().equals(request)) {
                return envelope.at("payload");
            }
            before.add(envelope);
        }
    }

    private static Json answer(TestSocket socket, String request) throws IOException {
        return answer(socket, request, new ArrayList<>());
    }

    @Test
    void theFilesystemServerReadsAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.toRealPath().resolve("note.txt"), "remember the milk");
        String command = "command: " + InteropPrograms.yaml(InteropPrograms.filesystem(directory.toRealPath()));
        try (TestServer server = new TestServer(bridge("disk", command), 1)) {
            await().atMost(PATIENCE).until(() -> server.isBridgeConnected("disk"));
            TestSocket alice = server.join("alice");
            alice.send(request("r1", "disk", "tools/list", "{}"));
            assertThat(answer(alice, "r1").at("result").at("tools").elements())
                    .extracting(tool -> tool.at("name").text())
                    .contains("read_text_file", "write_file");
            alice.send(request(
                    "r2",
                    "disk",
                    "tools/call",
                    "{\"name\":\"read_text_file\",\"arguments\":{\"path\":\"" + file + "\"}}"));
            assertThat(answer(alice, "r2").at("result").at("content").raw()).contains("remember the milk");
            alice.close();
        }
    }

    @Test
    void theServerOfEverythingOverStandardInputAndOutput() throws IOException {
        try (TestServer server = new TestServer(
                bridge("everything", "command: " + InteropPrograms.yaml(InteropPrograms.everything())), 1)) {
            await().atMost(PATIENCE).until(() -> server.isBridgeConnected("everything"));
            useEverything(server);
        }
    }

    @Test
    void theServerOfEverythingOverHttp() throws Exception {
        useEverythingOver("streamableHttp", "/mcp");
    }

    @Test
    void theServerOfEverythingOverTheTransportOfTheFirstVersion() throws Exception {
        useEverythingOver("sse", "/sse");
    }

    private static void useEverythingOver(String mode, String path) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        List<String> command = new ArrayList<>(
                InteropPrograms.script("node_modules/@modelcontextprotocol/server-everything/dist/index.js", mode));
        command.addAll(
                1,
                List.of(
                        "--import",
                        InteropPrograms.folder().resolve("loopback.mjs").toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PORT", Integer.toString(port));
        Process process = builder.start();
        try (TestServer server =
                new TestServer(bridge("everything", "url: \"http://127.0.0.1:" + port + path + "\""), 1)) {
            await().atMost(PATIENCE).until(() -> server.isBridgeConnected("everything"));
            useEverything(server);
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static void useEverything(TestServer server) throws IOException {
        try (TestSocket alice = server.join("alice")) {
            alice.send(request(
                    "r1", "everything", "tools/call", "{\"name\":\"echo\",\"arguments\":{\"message\":\"grüß\"}}"));
            assertThat(answer(alice, "r1").at("result").raw())
                    .isEqualTo("{\"content\":[{\"type\":\"text\",\"text\":\"Echo: grüß\"}]}");
            alice.send(request("r2", "everything", "resources/list", "{}"));
            assertThat(answer(alice, "r2").at("result").at("resources").elements())
                    .isNotEmpty();
            alice.send(request("r3", "everything", "prompts/list", "{}"));
            assertThat(answer(alice, "r3").at("result").at("prompts").elements())
                    .isNotEmpty();
            alice.send(request(
                    "r4",
                    "everything",
                    "tools/call",
                    "{\"name\":\"trigger-long-running-operation\",\"arguments\":{\"duration\":0.2,\"steps\":2},"
                            + "\"_meta\":{\"progressToken\":\"mine\"}}"));
            List<Json> before = new ArrayList<>();
            assertThat(answer(alice, "r4", before).at("result").at("content").raw())
                    .contains("completed");
            assertThat(before)
                    .filteredOn(each -> each.at("kind").text().equals("mcp.request.notifications/progress"))
                    .isNotEmpty()
                    .allMatch(each -> each.at("payload")
                            .at("params")
                            .at("progressToken")
                            .text()
                            .equals("mine"));
            // This tool can be called only as a task.
            alice.send(request(
                    "r5",
                    "everything",
                    "tools/call",
                    "{\"name\":\"simulate-research-query\",\"arguments\":{\"topic\":\"tide pools\"}}"));
            assertThat(answer(alice, "r5").at("result").at("content").raw()).contains("Research Report: tide pools");
        }
    }
}
