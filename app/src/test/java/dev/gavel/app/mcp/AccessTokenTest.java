package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.client.Answer;
import dev.gavel.client.Gavel;
import dev.gavel.client.IncomingToolRequest;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import dev.gavel.web.oauth.TestIssuer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that MCP clients can use access tokens of a configured issuer, and for what they cannot. */
final class AccessTokenTest {
    private static final String INITIALIZE = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""";

    @TempDir
    private Path data;

    private final AtomicInteger tokens = new AtomicInteger();
    private TestIssuer issuer;
    private TestServer server;
    private Participant files;

    @BeforeEach
    void start() throws Exception {
        issuer = new TestIssuer();
        server = new TestServer(config("issuers: [{url: \"" + issuer.url() + "\"}]"), 2);
        files = Gavel.at("http://" + server.listen())
                .token(Token.of("files" + TestServer.SECRET))
                .topic("ops")
                .connect();
        files.serve(new Tools()
                .tool("read_file", request -> Answer.text("read"))
                .tool("delete_file", request -> Answer.text("deleted"))
                .tool("ask", AccessTokenTest::askOnce));
    }

    @AfterEach
    void stop() {
        files.close();
        server.close();
        issuer.close();
    }

    /** Asks for the user's name, and returns the response. */
    private static Answer askOnce(IncomingToolRequest request) {
        Json responses = request.call().params().at("inputResponses");
        return Answer.result(Json.parse(
                        responses.isPresent()
                                ? "{\"content\":[{\"type\":\"text\",\"text\":"
                                        + responses
                                                .at("name")
                                                .at("content")
                                                .at("name")
                                                .raw() + "}]}"
                                : """
                                {"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create",
                                "params":{"message":"Name?","requestedSchema":{"type":"object",
                                "properties":{"name":{"type":"string"}}}}}}}""")
                .orElseThrow());
    }

    private String config(String issuers) {
        return """
                listen: 127.0.0.1:0
                data: %s
                %s
                identities:
                  alice: {token: alice-0123456789abcdef, roles: [admin]}
                  helper: {token: helper-0123456789abcdef}
                  robot: {}
                  files: {token: files-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      helper: ["mcp.request.tools/call:read_file"]
                      robot: ["mcp.proposal.*", "mcp.request.tools/call:read_file"]
                      files: ["mcp.response.*", "mcp.request.notifications/*"]
                  lab:
                    participants:
                      helper: ["*"]
                """.formatted(data, issuers);
    }

    private String url(String path) {
        return "http://" + server.listen() + path;
    }

    private String token(String identity) {
        return issuer.token(identity, url("/mcp/ops"));
    }

    private String nextToken(String identity) {
        return issuer.token(identity, url("/mcp/ops"), Instant.now().plusSeconds(600 + tokens.incrementAndGet()));
    }

    private TestMcpClient client(String token) {
        return new TestMcpClient(server, "ops", "").useToken(token);
    }

    private TestMcpClient session(String token) throws Exception {
        TestMcpClient client = client(token);
        client.initialize();
        return client;
    }

    private HttpResponse<String> initialize(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path)))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(INITIALIZE));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return TestMcpClient.HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> initializeWith(String token) throws Exception {
        return initialize("/mcp/ops", "Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(String method, String path, String token) throws Exception {
        return TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create(url(path)))
                        .header("Authorization", "Bearer " + token)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String challenge(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(401);
        return response.headers().firstValue("WWW-Authenticate").orElseThrow();
    }

    @Test
    void aClientWithAnAccessTokenHasTheRightsOfItsIdentity() throws Exception {
        TestMcpClient helper = session(token("helper"));
        assertThat(helper.tools()).contains("read_file").doesNotContain("delete_file");
        assertThat(TestMcpClient.text(helper.call("read_file", "{}"))).isEqualTo("read");
        assertThat(helper.requestAndAwait("tools/call", TestMcpClient.params("delete_file", "{}"))
                        .at("error")
                        .isPresent())
                .isTrue();
    }

    @Test
    void anIdentityWithoutAGavelTokenCanProposeWithAnAccessToken() throws Exception {
        TestMcpClient robot = session(token("robot"));
        TestMcpClient.PendingResponse call =
                robot.begin("tools/call", TestMcpClient.withProgress("delete_file", "{}", "1"));
        TestMcpClient alice = new TestMcpClient(server, "ops", "alice");
        alice.initialize();

        alice.call("gavel_approve", "{\"proposal\":\"" + alice.awaitPending() + "\",\"confirm\":true}");

        assertThat(TestMcpClient.text(call.answer().at("result"))).isEqualTo("deleted");
    }

    @Test
    void aLongMessageThatArrivesWhileTheKeysAreFetchedIsReadCompletely() throws Exception {
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create(url("/mcp/ops")))
                        .header("Authorization", "Bearer " + token("helper"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                INITIALIZE.replace("\"test\"", "\"" + "x".repeat(500_000) + "\"")))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    @Test
    void gavelTokensStillWork() throws Exception {
        assertThat(session("helper" + TestServer.SECRET).tools()).contains("read_file");
        assertThat(initializeWith("unknown-0123456789abcdef").statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ops", "no.such-topic"})
    void aRequestWithoutATokenIsToldWhereToGetOne(String topic) throws Exception {
        String metadata = url("/.well-known/oauth-protected-resource/mcp/" + topic);
        assertThat(challenge(initialize("/mcp/" + topic))).isEqualTo("Bearer resource_metadata=\"" + metadata + "\"");
        assertThat(challenge(initialize("/mcp/" + topic, "Authorization", "Basic aGVscGVyOng=")))
                .isEqualTo("Bearer resource_metadata=\"" + metadata + "\"");
        assertThat(challenge(initialize("/mcp/" + topic, "Authorization", "Bearer " + token("helper") + "x")))
                .isEqualTo("Bearer error=\"invalid_token\", resource_metadata=\"" + metadata + "\"");

        HttpResponse<String> document = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create(metadata)).build(), HttpResponse.BodyHandlers.ofString());

        assertThat(document.statusCode()).isEqualTo(200);
        assertThat(document.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(Json.parse(document.body()).orElseThrow())
                .isEqualTo(Json.parse("""
                        {"resource":"%s","resource_name":"Gavel topic %s","authorization_servers":["%s"],
                        "bearer_methods_supported":["header"]}""".formatted(url("/mcp/" + topic), topic, issuer.url()))
                        .orElseThrow());
    }

    @Test
    void theMetadataOfATopicThatCannotExistIsRefused() throws Exception {
        assertThat(send("GET", "/.well-known/oauth-protected-resource/mcp/No%22Topic", "x")
                        .statusCode())
                .isEqualTo(400);
        assertThat(initialize("/mcp/No%22Topic").statusCode()).isEqualTo(400);
    }

    @Test
    void withoutIssuersThereIsNoMetadata(@TempDir Path other) throws Exception {
        try (TestServer plain = new TestServer(config("").replace(data.toString(), other.toString()), 1)) {
            String base = "http://" + plain.listen();
            HttpResponse<String> refused = TestMcpClient.HTTP.send(
                    HttpRequest.newBuilder(URI.create(base + "/mcp/ops"))
                            .header("Authorization", "Bearer " + issuer.token("helper", base + "/mcp/ops"))
                            .POST(HttpRequest.BodyPublishers.ofString(INITIALIZE))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(challenge(refused)).isEqualTo("Bearer realm=\"gavel\"");
            assertThat(TestMcpClient.HTTP
                            .send(
                                    HttpRequest.newBuilder(
                                                    URI.create(base + "/.well-known/oauth-protected-resource/mcp/ops"))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /topics",
        "GET, /topics/ops",
        "GET, /topics/ops/proposals",
        "POST, /topics/ops/messages",
        "GET, /topics/ops/members",
        "GET, /tokens",
        "DELETE, /tokens/helper",
        "GET, /console/admin"
    })
    void anAccessTokenIsForTheMcpEndpointOnly(String method, String path) throws Exception {
        String admin = token("alice");
        assertThat(initializeWith(admin).statusCode()).isEqualTo(200);
        assertThat(send(method, path, admin).statusCode()).isNotIn(200, 202, 204);
        assertThat(session("helper" + TestServer.SECRET).tools()).contains("read_file");
    }

    @Test
    void aTokenForAnotherTopicIsRefused() throws Exception {
        HttpResponse<String> response = initialize("/mcp/lab", "Authorization", "Bearer " + token("helper"));
        assertThat(challenge(response)).contains("invalid_token").contains("/mcp/lab");
        assertThat(response.body()).contains("audience");
    }

    @Test
    void aTokenForAnotherServerIsRefusedAlsoUnderTheNameOfThatServer() throws Exception {
        String host = "203.0.113.5:" + server.listen().port();
        assertThat(statusUnderHost(host, issuer.token("helper", "http://" + host + "/mcp/ops")))
                .isEqualTo("401");
        String otherPort = "127.0.0.1:1";
        assertThat(statusUnderHost(otherPort, issuer.token("helper", "http://" + otherPort + "/mcp/ops")))
                .isEqualTo("401");
        String local = "localhost:" + server.listen().port();
        assertThat(statusUnderHost(local, issuer.token("helper", "http://" + local + "/mcp/ops")))
                .isEqualTo("200");
    }

    private String statusUnderHost(String host, String token) throws IOException {
        try (Socket socket = server.socket()) {
            socket.getOutputStream()
                    .write(("POST /mcp/ops HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer "
                                    + token
                                    + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                                    + INITIALIZE.length() + "\r\n\r\n" + INITIALIZE)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split(" ", 3)[1];
        }
    }

    @Test
    void aTokenThatNamesNoIdentityIsForbiddenSoThatTheClientDoesNotLogInAgain() throws Exception {
        HttpResponse<String> response = initializeWith(token("stranger"));
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("identity_refused", "'stranger'", "'identities'");
    }

    @Test
    void aMemberOfAnotherTopicIsForbidden() throws Exception {
        assertThat(initialize("/mcp/lab", "Authorization", "Bearer " + issuer.token("robot", url("/mcp/lab")))
                        .body())
                .contains("not_a_member");
    }

    @Test
    void whileTheIssuerIsUnreachableClientsAreAskedToTryAgain() throws Exception {
        String token = token("helper");
        issuer.close();
        HttpResponse<String> response = initializeWith(token);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("issuer_unavailable").doesNotContain(token);
        assertThat(response.headers().firstValue("Retry-After")).contains("10");
        assertThat(session("helper" + TestServer.SECRET).tools()).contains("read_file");
    }

    @Test
    void theSessionAndItsStreamsEndWhenTheTokenExpires() throws Exception {
        // Gavel accepts a token for another minute.
        TestMcpClient client =
                session(issuer.token("helper", url("/mcp/ops"), Instant.now().minusSeconds(55)));
        TestMcpClient.PendingResponse stream = client.listen(null);
        assertThat(stream.status).isEqualTo(200);

        assertThat(endsWithin(stream, Duration.ofSeconds(15))).isTrue();
        assertThat(client.listen(null).status).isEqualTo(401);
        client.useToken(token("helper"));
        assertThat(client.tools()).contains("read_file");
    }

    @Test
    void aCallOfTheEarlierTokenIsCancelledWithTheNextOne() throws Exception {
        TestMcpClient robot = session(token("robot"));
        TestMcpClient.PendingResponse call =
                robot.begin("tools/call", TestMcpClient.withProgress("delete_file", "{}", "1"));
        TestMcpClient alice = session("alice" + TestServer.SECRET);
        String proposal = alice.awaitPending();

        robot.useToken(nextToken("robot")).notify("notifications/cancelled", "{\"requestId\":" + call.id + "}");

        await().until(() -> robot.call("gavel_status", "{\"proposal\":\"" + proposal + "\"}")
                .raw()
                .contains("withdrawn"));
    }

    @Test
    void aQuestionOfTheEarlierTokenIsAnsweredWithTheNextOneWhichCanBeAskedToo() throws Exception {
        TestMcpClient alice = client(token("alice"));
        alice.initialize("{\"elicitation\":{}}");
        for (String name : List.of("Ada", "Grace")) {
            TestMcpClient.PendingResponse call = alice.begin("tools/call", TestMcpClient.params("ask", "{}"));
            Json question = call.next().orElseThrow();
            assertThat(question.at("method").text()).as(question.raw()).isEqualTo("elicitation/create");

            alice.useToken(nextToken("alice"))
                    .respond(question, "{\"action\":\"accept\",\"content\":{\"name\":\"" + name + "\"}}");

            assertThat(TestMcpClient.text(call.answer().at("result"))).isEqualTo(name);
        }
    }

    @Test
    void aClientCanBeAskedAfterItsTokenHasExpired() throws Exception {
        // Gavel accepts a token for another minute.
        TestMcpClient alice =
                client(issuer.token("alice", url("/mcp/ops"), Instant.now().minusSeconds(55)));
        alice.initialize("{\"elicitation\":{}}");
        assertThat(endsWithin(alice.listen(null), Duration.ofSeconds(15))).isTrue();
        alice.useToken(token("alice"));

        TestMcpClient.PendingResponse call = alice.begin("tools/call", TestMcpClient.params("ask", "{}"));

        assertThat(call.next().orElseThrow().at("method").text()).isEqualTo("elicitation/create");
    }

    @Test
    void theSessionEndsWhenTheMemberIsRemoved() throws Exception {
        TestMcpClient client = session(token("robot"));
        TestMcpClient.PendingResponse stream = client.listen(null);

        assertThat(send("DELETE", "/topics/ops/members/robot", "alice" + TestServer.SECRET)
                        .statusCode())
                .isEqualTo(200);

        assertThat(endsWithin(stream, Duration.ofSeconds(15))).isTrue();
        assertThat(client.listen(null).status).isEqualTo(403);
    }

    @Test
    void whenAnAdminRevokesTheGavelTokensOfAnIdentityItsAccessTokensEndToo() throws Exception {
        TestMcpClient client = session(token("helper"));
        TestMcpClient.PendingResponse stream = client.listen(null);

        assertThat(send("DELETE", "/tokens/helper", "alice" + TestServer.SECRET).statusCode())
                .isEqualTo(200);

        assertThat(endsWithin(stream, Duration.ofSeconds(15))).isTrue();
        HttpResponse<String> response = initializeWith(token("helper"));
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("revoked");
    }

    private static boolean endsWithin(TestMcpClient.PendingResponse stream, Duration time) {
        await().atMost(time).until(() -> stream.next().isEmpty());
        return true;
    }
}
