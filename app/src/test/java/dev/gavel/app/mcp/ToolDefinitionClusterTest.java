package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.bridge.ChangeableMcpServer;
import dev.gavel.app.command.TestToolParticipant;
import dev.gavel.gateway.bus.nats.NatsServer;
import dev.gavel.ledger.postgres.TestPostgresServer;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that an approval is for one definition of a tool if the call is proposed and approved at different gateways. */
@SuppressWarnings("NullAway.Init") // set before each test
@Execution(ExecutionMode.CONCURRENT) // each test has its own servers, and mostly waits
class ToolDefinitionClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path data;

    private NatsServer nats;
    private String config;
    private TestServer one;
    private @Nullable TestServer other;

    @BeforeEach
    void start() throws Exception {
        nats = new NatsServer();
        describe("Sends a mail.");
        config = """
                listen: 127.0.0.1:0
                data: %s
                ledger: "%s"
                bus: %s
                identities:
                  alice: {token: alice-0123456789abcdef}
                  helper: {token: helper-0123456789abcdef}
                  tools: {token: tools-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      helper: ["mcp.proposal.*"]
                      tools: ["mcp.response.*", "mcp.request.notifications/*"]
                bridges:
                  mail: {topic: ops, command: %s}
                """.formatted(
                        data,
                        TestPostgresServer.shared().freshSchema(),
                        nats.uri(),
                        ChangeableMcpServer.command(data.resolve("tools.json"), true));
        one = new TestServer(config, 1);
        await().atMost(PATIENCE).until(() -> one.isBridgeConnected("mail"));
    }

    @AfterEach
    void stop() {
        one.close();
        if (other != null) {
            other.close();
        }
        nats.close();
    }

    private void describe(String description) throws Exception {
        Files.writeString(
                data.resolve("tools.json"),
                "[{\"name\":\"send\",\"description\":\"" + description + "\",\"inputSchema\":{\"type\":\"object\"}},"
                        + "{\"name\":\"announce\",\"inputSchema\":{\"type\":\"object\"}}]");
    }

    private static HttpResponse<String> send(TestServer server, String identity, String path, String envelope)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://" + server.listen() + "/topics/ops/" + path))
                .header("Authorization", "Bearer " + identity + TestServer.SECRET);
        return TestMcpClient.HTTP.send(
                (envelope.isEmpty()
                                ? request
                                : request.POST(HttpRequest.BodyPublishers.ofString(envelope.replace('\'', '"'))))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static void propose(TestServer server, String id, String tool) throws Exception {
        HttpResponse<String> response = send(
                server,
                "helper",
                "messages",
                "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'mcp.proposal.tools/call:" + tool
                        + "','payload':{'method':'tools/call','params':{'name':'" + tool
                        + "','arguments':{'path':'x'}}}}");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    }

    private static HttpResponse<String> approve(TestServer server, String id, String tool, String to, String extra)
            throws Exception {
        return send(
                server,
                "alice",
                "messages",
                "{'protocol':'mcpx/v0.1','id':'" + UUID.randomUUID() + "','kind':'mcp.request.tools/call:" + tool
                        + "','to':['" + to + "'],'correlationId':'" + id + "'," + extra
                        + "'payload':{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'" + tool
                        + "','arguments':{'path':'x'}}}}");
    }

    private static Json proposal(TestServer server, String id) throws Exception {
        return Json.parse(send(server, "alice", "proposals/" + id, "").body()).orElseThrow();
    }

    private static Json tool(TestServer server, String id) throws Exception {
        return proposal(server, id).at("tools").elements().getFirst();
    }

    /** Waits until a gateway knows that the tool of an open proposal has this description. */
    private static void awaitDescription(TestServer server, String id, String description) {
        await().atMost(PATIENCE)
                .until(() -> proposal(server, id).at("tools").elements().stream()
                        .anyMatch(tool ->
                                tool.at("definition").at("description").text().equals(description)));
    }

    @Test
    void aDefinitionThatChangedAfterAProposalAtOneGatewayStopsTheApprovalAtAnother() throws Exception {
        TestMcpClient client = new TestMcpClient(one, "ops", "alice");
        client.initialize();
        await().atMost(PATIENCE).until(() -> client.tools().contains("send"));
        propose(one, "p-1", "send");
        TestServer second = new TestServer(config, 1);
        other = second;
        awaitDescription(second, "p-1", "Sends a mail.");
        assertThat(tool(second, "p-1").at("state").text()).isEqualTo("listed");
        describe("Sends a mail to all.");
        client.call("announce", "{}");
        awaitDescription(second, "p-1", "Sends a mail to all.");

        assertThat(tool(second, "p-1").at("state").text()).isEqualTo("changed");
        HttpResponse<String> refused = approve(second, "p-1", "send", "mail", "");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
        assertThat(refused.body()).contains("definition_changed", "changed (description)");
        assertThat(proposal(one, "p-1").at("state").text()).isEqualTo("open");

        String digest = tool(second, "p-1").at("digest").text();
        assertThat(tool(one, "p-1").at("digest").text()).isEqualTo(digest);
        assertThat(approve(second, "p-1", "send", "mail", "'definition':'" + digest + "',")
                        .statusCode())
                .isEqualTo(202);
        await().atMost(PATIENCE)
                .until(() -> proposal(one, "p-1").at("outcome").text().equals("succeeded"));
    }

    @Test
    void aGatewayThatDoesNotKnowTheToolsOfAParticipantDoesNotSayThatTheToolChanged() throws Exception {
        try (TestToolParticipant tools = new TestToolParticipant("http://" + one.listen(), true)) {
            propose(one, "p-0", "write_file");
            awaitDescription(one, "p-0", "Writes a file.");
            propose(one, "p-1", "write_file");
            TestServer second = new TestServer(config, 1);
            other = second;
            await().atMost(PATIENCE)
                    .until(() -> proposal(second, "p-1").at("couldRun").texts().contains("tools"));

            Json unknown = proposal(second, "p-1").at("tools").elements().stream()
                    .filter(each -> each.at("participant").text().equals("tools"))
                    .findFirst()
                    .orElseThrow();
            assertThat(unknown.at("state").text()).isEqualTo("unknown");
            assertThat(unknown.at("notes").texts())
                    .containsExactly("The tools of tools are not known at this gateway yet.");
            assertThat(unknown.at("digest").isPresent()).isFalse();

            // An approval loads the list, and compares it with the definition that the first gateway stored.
            HttpResponse<String> approved = approve(second, "p-1", "write_file", "tools", "");
            assertThat(approved.statusCode()).as(approved.body()).isEqualTo(202);
            await().atMost(PATIENCE).until(() -> tools.ran().size() == 1);
            tools.describe("Writes a file and mails it.");
            awaitDescription(second, "p-0", "Writes a file and mails it.");
            assertThat(approve(second, "p-0", "write_file", "tools", "'unchecked':true,")
                            .body())
                    .contains("definition_changed");
        }
    }
}
