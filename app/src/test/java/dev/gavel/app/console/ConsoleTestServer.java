package dev.gavel.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server for console tests, with a topic, two reviewers, a proposer and two tool servers. Alice is an admin and a
 * core maintainer of SEPs, dana a second core maintainer, bob a maintainer; carol and dana are members of no topic. No
 * participant is connected. The server can be stopped and restarted on the same port and data.
 */
final class ConsoleTestServer implements AutoCloseable {
    static final JsonMapper JSON = new JsonMapper();

    private final String config;
    private final int port;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<TestSocket> open = new ArrayList<>();
    private TestServer server;

    ConsoleTestServer(Path data) throws IOException {
        this(data, "");
    }

    /** Starts a server with additional configuration. */
    ConsoleTestServer(Path data, String extraConfig) throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        config = """
                listen: 127.0.0.1:%d
                data: "%s"
                limits: {ask: off, bytes: off, rate: 100000/s}
                identities:
                  alice: {token: alice-0123456789abcdef, roles: [admin, core-maintainer], name: Alice}
                  bob: {token: bob-0123456789abcdef, roles: [maintainer], name: Bob}
                  dana: {token: dana-0123456789abcdef, roles: [core-maintainer], name: Dana}
                  carol: {token: carol-0123456789abcdef, name: Carol}
                  helper: {token: helper-0123456789abcdef}
                  files: {token: files-0123456789abcdef}
                  search: {token: search-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["mcp.request.tools/*", "mcpx.*", "chat.*"]
                      bob: ["mcp.request.tools/*", "mcpx.*", "chat.*"]
                      helper: ["mcp.proposal.*", "mcpx.withdraw.proposal"]
                      files: ["mcp.response.*", "mcp.request.notifications/*"]
                      search: ["mcp.response.*", "mcp.request.notifications/*"]
                  quiet:
                    participants:
                      bob: ["mcp.request.tools/*", "mcpx.*"]
                      helper: ["mcp.proposal.*"]
                """.formatted(port, data) + extraConfig;
        server = new TestServer(config, 2);
    }

    /** A URL of the console. */
    String url(String path) {
        return server.consoleUrl() + path;
    }

    /** A URL of the API. */
    String apiUrl(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    int port() {
        return port;
    }

    String signInLink(String identity) {
        return server.signInLink(identity).toString();
    }

    /** A session cookie of an identity. */
    Cookie session(String who) {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(url("/sign-in")))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString("token=" + who + TestServer.SECRET))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            String cookieHeader = answer.headers().firstValue("Set-Cookie").orElseThrow();
            return new Cookie(
                            cookieHeader.substring(0, cookieHeader.indexOf('=')),
                            cookieHeader.substring(cookieHeader.indexOf('=') + 1, cookieHeader.indexOf(';')))
                    .setUrl(url("/"))
                    .setHttpOnly(true)
                    .setSameSite(SameSiteAttribute.STRICT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Connects a participant. */
    TestSocket join(String who) throws IOException {
        TestSocket socket = server.join(who);
        open.add(socket);
        return socket;
    }

    /** Connects a participant that offers these tools. */
    TestSocket joinWithTools(String who, String tools) throws IOException {
        TestSocket socket = join(who);
        announceTools(socket, "news-of-" + who, tools);
        return socket;
    }

    /**
     * Lets a server announce that its tools changed, and list them when the gateway asks. Returns when the gateway has
     * the list.
     */
    void announceTools(TestSocket socket, String announcement, String tools) throws IOException {
        socket.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + announcement
                + "\",\"kind\":\"mcp.request.notifications/tools/list_changed\",\"payload\":{"
                + "\"method\":\"notifications/tools/list_changed\"}}");
        JsonNode question = socket.envelope("mcp.request.tools/list");
        String id = question.path("id").asString();
        socket.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"list-" + id + "\",\"correlationId\":\"" + id
                + "\",\"kind\":\"mcp.response.tools/list\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{"
                + "\"tools\":" + tools.replace("\n", " ") + "}}}");
        // A topic handles the messages of a connection in order: when it refuses this one, it has read the list.
        socket.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"fence-" + id + "\",\"correlationId\":\"" + id
                + "\",\"to\":[\"absent\"],\"kind\":\"mcp.response.tools/list\",\"payload\":{\"jsonrpc\":\"2.0\","
                + "\"id\":1,\"result\":{\"tools\":[]}}}");
        assertThat(socket.envelope("system.error").path("payload").toString()).contains("unknown_recipient");
    }

    /** Proposes this many calls, of tools with numbered names. */
    void proposeMany(int count) throws IOException, InterruptedException {
        try (TestSocket helper = server.join("helper")) {
            for (int i = 0; i < count; i++) {
                helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"many-" + i
                        + "\",\"kind\":\"mcp.proposal.tools/call:tool-" + i
                        + "\",\"payload\":{\"method\":\"tools/call\",\"params\":{\"name\":\"tool-" + i
                        + "\",\"arguments\":{\"n\":" + i + "}}}}");
            }
            helper.envelope("mcp.proposal.tools/call:tool-" + (count - 1));
        }
    }

    /** Submits a SEP as an identity and returns its number. */
    int submit(String who, String title) throws IOException, InterruptedException {
        String document = "# SEP-0000: " + title + "\n\n- **Status**: proposal\n- **Type**: Standards Track\n"
                + "- **Created**: 2026-01-05\n- **Author(s)**: " + who
                + "\n\n## Abstract\n\nWhat it is.\n\n## Motivation\n\nWhy it is wanted.\n";
        HttpResponse<String> answer = call(
                "POST",
                who,
                "/seps",
                JSON.createObjectNode().put("document", document).toString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return JSON.readTree(answer.body()).path("number").asInt();
    }

    /** Proposes a tool call. */
    void propose(String id, String tool, String arguments) throws IOException, InterruptedException {
        proposeIn("ops", id, tool, arguments);
    }

    void proposeIn(String topic, String id, String tool, String arguments) throws IOException, InterruptedException {
        send(
                topic,
                "helper",
                id,
                "mcp.proposal.tools/call:" + tool,
                Map.of(),
                "{\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}}");
    }

    /** Sends an envelope about a proposal. */
    void sendEnvelope(String who, String id, String kind, String about, String payload)
            throws IOException, InterruptedException {
        sendIn("ops", who, id, kind, about, payload);
    }

    void sendIn(String topic, String who, String id, String kind, String about, String payload)
            throws IOException, InterruptedException {
        send(topic, who, id, kind, Map.of("correlationId", about), payload);
    }

    private void send(String topic, String who, String id, String kind, Map<String, String> extraConfig, String payload)
            throws IOException, InterruptedException {
        var envelope = JSON.createObjectNode()
                .put("protocol", "mcpx/v0.1")
                .put("id", id)
                .put("kind", kind);
        extraConfig.forEach(envelope::put);
        envelope.set("payload", JSON.readTree(payload));
        HttpResponse<String> answer = call("POST", who, "/topics/" + topic + "/messages", envelope.toString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    }

    /** Reads the next call to run, and answers it. */
    JsonNode run(TestSocket runner, String tool, String answer) throws IOException {
        JsonNode request = runner.envelope("mcp.request.tools/call:" + tool);
        String id = request.path("id").asString();
        runner.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"answer-" + id + "\",\"correlationId\":\"" + id
                + "\",\"kind\":\"mcp.response.tools/call:" + tool + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,"
                + answer + "}}");
        return request;
    }

    static String textResult(String text) {
        return "\"result\":{\"content\":[{\"type\":\"text\",\"text\":" + JSON.writeValueAsString(text) + "}]}";
    }

    /** A proposal as the API returns it. */
    JsonNode proposal(String id) throws IOException, InterruptedException {
        return JSON.readTree(
                call("GET", "alice", "/topics/ops/proposals/" + id, "").body());
    }

    HttpResponse<String> call(String method, String who, String path, String body)
            throws IOException, InterruptedException {
        return callWith(who + TestServer.SECRET, method, path, body);
    }

    /** Calls the API with a token. */
    HttpResponse<String> callWith(String token, String method, String path, String body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(apiUrl(path)))
                        .header("Authorization", "Bearer " + token)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    void stop() throws IOException {
        for (TestSocket socket : open) {
            socket.close();
        }
        open.clear();
        server.close();
    }

    void start() throws IOException {
        server = new TestServer(config, 2);
    }

    @Override
    public void close() throws IOException {
        stop();
        client.shutdownNow();
    }
}
