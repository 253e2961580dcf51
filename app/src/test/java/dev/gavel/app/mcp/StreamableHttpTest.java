package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcpx.json.Json;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the rules of the transport, and what survives a process. */
@Execution(ExecutionMode.CONCURRENT) // each test has its own server, and mostly waits
class StreamableHttpTest {
    @TempDir
    private Path data;

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return TestMcpClient.HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void whatIsNoMessageIsToldSo() throws Exception {
        try (McpTestTopic mcpTestTopic = new McpTestTopic(data)) {
            TestMcpClient helper = mcpTestTopic.client("helper");
            HttpResponse<String> garbage = send(helper.post("{not json"));
            assertThat(garbage.statusCode()).isEqualTo(400);
            assertThat(garbage.body()).contains("-32700").doesNotContain("Exception");
            assertThat(send(helper.post("[]")).statusCode()).isEqualTo(400);
            assertThat(send(helper.post("{\"jsonrpc\":\"2.0\",\"id\":1}")).statusCode())
                    .isEqualTo(400);
            Json unknown = helper.requestAndAwait("no/such", "{}").at("error");
            assertThat(unknown.at("code").raw()).isEqualTo("-32601");
        }
    }

    @Test
    void aRequestBelongsToASessionOfItsOwner() throws Exception {
        try (McpTestTopic mcpTestTopic = new McpTestTopic(data)) {
            TestMcpClient helper = mcpTestTopic.client("helper");
            String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
            assertThat(send(new TestMcpClient(mcpTestTopic.server, "ops", "helper").post(ping))
                            .statusCode())
                    .isEqualTo(400);
            assertThat(send(new TestMcpClient(mcpTestTopic.server, "ops", "helper")
                                    .resumeSession("made-up")
                                    .post(ping))
                            .statusCode())
                    .isEqualTo(404);
            assertThat(send(new TestMcpClient(mcpTestTopic.server, "ops", "hasty")
                                    .resumeSession(helper.session())
                                    .post(ping))
                            .statusCode())
                    .isEqualTo(404);
            assertThat(send(helper.post(ping)).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Authorization,          Bearer nonsense-nonsense-nonsense, 401",
        "Origin,                 https://evil.example,               403",
        "MCP-Protocol-Version,   1999-01-01,                         400",
        "Content-Type,           text/plain,                         415",
        "Accept,                 text/html,                          406",
    })
    void aHeaderThatIsWrongIsRefused(String header, String value, int status) throws Exception {
        try (McpTestTopic mcpTestTopic = new McpTestTopic(data)) {
            TestMcpClient helper = mcpTestTopic.client("helper");
            HttpRequest.Builder request = helper.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
            HttpResponse<String> response = send(request.setHeader(header, value));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        }
    }

    @Test
    void aForeignHostIsRefused() throws Exception {
        try (McpTestTopic mcpTestTopic = new McpTestTopic(data);
                Socket socket = mcpTestTopic.server.socket()) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("POST /mcp/ops HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer helper-0123456789abcdef\r\n"
                                    + "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
                            .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 403").contains("foreign_host");
        }
    }

    @Test
    void aListIsNotWaitedForLongWhereNobodyAnswers() throws Exception {
        try (McpTestTopic mcpTestTopic = new McpTestTopic(data)) {
            assertThat(mcpTestTopic.client("helper").tools())
                    .containsExactlyInAnyOrder("gavel_status", "gavel_withdraw", "gavel_pending", "gavel_approve");
        }
    }

    @Test
    void aRevokedTokenEndsItsSessionsAndWaitingCallsAreAnswered() throws Exception {
        try (McpTestTopic mcpTestTopic = McpTestTopic.withFiles(data)) {
            PendingResponse call =
                    mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
            String id = mcpTestTopic.awaitOpenProposal();
            HttpResponse<String> revoked =
                    send(HttpRequest.newBuilder(URI.create("http://" + mcpTestTopic.server.listen() + "/tokens/helper"))
                            .header("Authorization", "Bearer alice-0123456789abcdef")
                            .DELETE());
            assertThat(revoked.statusCode()).as(revoked.body()).isBetween(200, 204);
            assertThat(call.answer().at("error").at("message").text())
                    .contains("the client's token is no longer valid");
            Json last = mcpTestTopic
                    .awaitState(id, "withdrawn")
                    .at("timeline")
                    .elements()
                    .getLast();
            assertThat(last.at("by").text()).isEqualTo("system:gateway");
            assertThat(last.at("reason").text()).isEqualTo("helper's last token was revoked");
        }
    }

    @Test
    void aCallerThatExchangesItsTokenResumesItsCall() throws Exception {
        try (McpTestTopic mcpTestTopic = McpTestTopic.withFiles(data)) {
            PendingResponse call =
                    mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
            String id = mcpTestTopic.awaitOpenProposal();
            HttpResponse<String> created =
                    send(HttpRequest.newBuilder(URI.create("http://" + mcpTestTopic.server.listen() + "/tokens"))
                            .header("Authorization", "Bearer alice-0123456789abcdef")
                            .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"helper\"}")));
            assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
            HttpResponse<String> revoked = send(HttpRequest.newBuilder(
                            URI.create("http://" + mcpTestTopic.server.listen() + "/tokens/helper/configured"))
                    .header("Authorization", "Bearer alice-0123456789abcdef")
                    .DELETE());
            assertThat(revoked.statusCode()).as(revoked.body()).isEqualTo(200);
            assertThat(call.answer().at("error").at("message").text()).contains("to resume the call");
            TestMcpClient again = new TestMcpClient(mcpTestTopic.server, "ops", "helper")
                    .useToken(
                            Json.parse(created.body()).orElseThrow().at("token").text());
            again.initialize();
            PendingResponse resumed = again.begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
            mcpTestTopic.approve(id);
            assertThat(text(resumed.answer().at("result"))).isEqualTo("delete_file done: x");
            assertThat(mcpTestTopic.proposals()).hasSize(1);
        }
    }

    @Test
    void aSessionAndAPendingCallOutliveTheProcess() throws Exception {
        String session;
        String id;
        try (McpTestTopic mcpTestTopic = McpTestTopic.withFiles(data)) {
            TestMcpClient hasty = mcpTestTopic.client("hasty");
            session = hasty.session();
            assertThat(text(hasty.call("delete_file", "{\"path\":\"x\"}"))).startsWith("Pending");
            id = mcpTestTopic.awaitOpenProposal();
        }
        try (McpTestTopic mcpTestTopic = McpTestTopic.withFiles(data)) {
            TestMcpClient hasty = new TestMcpClient(mcpTestTopic.server, "ops", "hasty").resumeSession(session);
            PendingResponse again = hasty.begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
            assertThat(mcpTestTopic.awaitOpenProposal()).isEqualTo(id);
            mcpTestTopic.approve(id);
            assertThat(text(again.answer().at("result"))).isEqualTo("delete_file done: x");
            assertThat(mcpTestTopic.proposals()).hasSize(1);
        }
    }

    /**
     * A process that stops asks its clients to call again; one that is killed leaves only its name in the proposal's
     * id.
     */
    @Test
    void whatWaitedAtAProcessThatIsGoneIsWithdrawn() throws Exception {
        String id = "m-0123456789abcdef012345-killed";
        try (McpTestTopic mcpTestTopic = McpTestTopic.withFiles(data)) {
            mcpTestTopic.propose(id, "delete_file");
            assertThat(mcpTestTopic.proposal(id).at("state").text()).isEqualTo("open");
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(
                                    mcpTestTopic.proposal(id).at("state").text())
                            .isEqualTo("withdrawn"));
        }
    }
}
