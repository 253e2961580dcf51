package dev.gavel.app.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that one member with many slow calls does not block a bridged server for others. */
final class BridgeLoadTest {
    private static String config(Path data) {
        return """
                listen: 127.0.0.1:0
                data: %s
                limits: {rate: 100000/s}
                identities:
                  alice: {token: alice-0123456789abcdef}
                  bob: {token: bob-0123456789abcdef}
                  flood: {token: flood-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      bob: ["mcp.proposal.*", "mcp.request.tools/call:echo"]
                      flood: ["mcp.request.tools/call:never"]
                """.formatted(data) + ScriptedMcpServer.yaml("scripted", Map.of());
    }

    private static String call(String id, String operation, String fields, String tool) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\"," + fields + "\"kind\":\"mcp." + operation
                + ".tools/call:" + tool + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                + "\"params\":{\"name\":\"" + tool + "\",\"arguments\":{}}}}";
    }

    private static Json answer(TestSocket socket, String request) throws IOException {
        while (true) {
            Json envelope = Json.parse(socket.read().text()).orElseThrow();
            if (envelope.at("correlationId").text().equals(request)
                    && envelope.at("kind").text().startsWith("mcp.response.")) {
                return envelope.at("payload");
            }
        }
    }

    @Test
    void othersAndApprovedCallsFindAPlace(@TempDir Path data) throws Exception {
        try (TestServer server = new TestServer(config(data), 1)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> server.isBridgeConnected("scripted"));
            try (TestSocket flood = server.join("flood");
                    TestSocket bob = server.join("bob");
                    TestSocket alice = server.join("alice")) {
                for (int i = 0; i < 1_005; i++) {
                    flood.send(call("n-" + i, "request", "\"to\":[\"scripted\"],", "never"));
                }
                assertThat(answer(flood, "n-1004").at("error").at("code").raw()).isEqualTo("-31003");

                bob.send(call("e-1", "request", "\"to\":[\"scripted\"],", "echo"));
                assertThat(answer(bob, "e-1").at("result").isPresent()).isTrue();

                bob.send(call("p-1", "proposal", "\"to\":[\"scripted\"],", "odd"));
                Json proposal = Json.object();
                while (!proposal.at("id").text().equals("p-1")) {
                    proposal = Json.parse(alice.read().text()).orElseThrow();
                }
                alice.send(call("f-1", "request", "\"to\":[\"scripted\"],\"correlationId\":\"p-1\",", "odd"));
                assertThat(answer(alice, "f-1").at("result").raw()).isEqualTo(ScriptedMcpServer.UNUSUAL_RESULT);
            }
        }
    }
}
