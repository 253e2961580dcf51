package dev.gavel.app.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A topic with a ledger on a real server, and one without; can be stopped and restarted on the same data. */
final class TestTopic implements AutoCloseable {
    /**
     * Alice and bob can fulfil tool calls and may reject; carol may only reject; helper proposes; files and search
     * answer. No member may read resources. Alice is an admin.
     */
    static final Map<String, String> MEMBERS = members(
            "alice: mcp.request.tools/*, mcp.proposal.*, mcp.response.*, mcpx.*, chat.*, trace.*",
            "bob: mcp.request.tools/*, mcpx.reject.proposal, mcpx.status.proposal, chat.*",
            "carol: mcpx.reject.proposal, mcpx.status.proposal, mcpx.withdraw.proposal, chat.*",
            "helper: mcp.proposal.*, mcpx.withdraw.proposal, chat.*",
            "files: mcp.response.*, chat.*",
            "search: mcp.response.*, chat.*");

    /** The name of a member without a token. */
    static final String TOKENLESS = "tokenless";

    private final TestTopicHost.Launcher launcher;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, String> tokens = new ConcurrentHashMap<>();
    private TestTopicHost host;

    /** A response over HTTP. */
    record Answer(int status, String type, JsonNode body) {
        String code() {
            return body.path("code").asString();
        }
    }

    /** Starts a topic with the default members. */
    TestTopic(Path data, String... rules) throws IOException {
        this(data, MEMBERS, rules);
    }

    /**
     * Starts a topic with these members.
     *
     * @param rules additional lines of the topic's configuration
     */
    TestTopic(Path data, Map<String, String> members, String... rules) throws IOException {
        this(() -> TestTopicHost.inTestProcess(config(data, members, rules)));
    }

    private TestTopic(TestTopicHost.Launcher launcher) throws IOException {
        this.launcher = launcher;
        this.host = launcher.up();
    }

    /** Starts a topic whose server is a separate process, which is killed when it is stopped. */
    static TestTopic inSeparateProcess(Path directory) throws IOException {
        return new TestTopic(
                () -> TestTopicHost.inSeparateProcess(directory, config(directory.resolve("data"), MEMBERS)));
    }

    /** Starts a topic on a server with these limits. */
    static TestTopic withLimits(Path data, String limits) throws IOException {
        return new TestTopic(() -> TestTopicHost.inTestProcess(
                config(data, MEMBERS).replace("limits: {ask: off, bytes: off,", "limits: {" + limits + ",")));
    }

    /** Starts a topic that exports its traces to a collector. */
    static TestTopic withTraces(Path data, String collector) throws IOException {
        return new TestTopic(() -> TestTopicHost.inTestProcess("traces: " + collector + "\n" + config(data, MEMBERS)));
    }

    /** Starts a topic with a bridged server that never responds. */
    static TestTopic withSilentBridge(Path data) throws IOException {
        return new TestTopic(() -> TestTopicHost.inTestProcess(
                "bridges: {tools: {topic: ops, command: [cat]}}\n" + config(data, MEMBERS)));
    }

    private static String config(Path data, Map<String, String> members, String... rules) {
        String participants = lines(members.entrySet().stream()
                .map(member -> "      " + member.getKey() + ": " + member.getValue())
                .toList());
        return "listen: 127.0.0.1:0\ndata: \"" + data
                + "\"\nlimits: {ask: off, bytes: off, rate: 100000/s}\nidentities:\n"
                + lines(members.keySet().stream().map(TestTopic::identity).toList())
                + identity("mallory") + "\ntopics:\n  ops:\n"
                + lines(Arrays.stream(rules).map(rule -> "    " + rule).toList())
                + "    participants:\n" + participants
                + "  plain:\n    ledger: off\n    participants:\n" + participants;
    }

    /** Members by id, each with its capabilities as a list. */
    static Map<String, String> members(String... lines) {
        Map<String, String> members = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = line.split(": ", 2);
            members.put(
                    parts[0],
                    Arrays.stream(parts[1].split(", ", -1))
                            .map(each -> "\"" + each + "\"")
                            .toList()
                            .toString());
        }
        return members;
    }

    private static String identity(String id) {
        String roles = id.equals("alice") ? ", roles: [admin]" : "";
        if (id.equals(TOKENLESS)) {
            return "  " + id + ": {name: Nobody yet}";
        }
        return "  " + id + ": {token: " + id + TestServer.SECRET + roles + "}";
    }

    private static String lines(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** Uses this token for an identity from now on. */
    void useToken(String who, String token) {
        tokens.put(who, token);
    }

    /** Lets alice create a token with this body, which is used for the identity from now on; returns the response. */
    JsonNode makeToken(String who, String body) throws IOException, InterruptedException {
        Answer answer = sendRequest("POST", "alice", "/tokens", body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        useToken(who, answer.body().path("token").asString());
        return answer.body();
    }

    private String token(String who) {
        return tokens.getOrDefault(who, who + TestServer.SECRET);
    }

    TestParticipant join(String who) throws IOException {
        return join(who, "");
    }

    /** Connects with additional query parameters, such as {@code &mode=directed}. */
    TestParticipant join(String who, String extraQuery) throws IOException {
        return joinTopic(who, "ops", extraQuery);
    }

    TestParticipant joinTopic(String who, String topic, String extraQuery) throws IOException {
        TestParticipant testParticipant = new TestParticipant(open(who, "topic=" + topic + extraQuery));
        open.add(testParticipant);
        return testParticipant;
    }

    /** The status of the response to a handshake with this query. */
    int handshakeStatus(String who, String query) throws IOException {
        try (TestSocket socket = open(who, query)) {
            return socket.status();
        }
    }

    Socket socket() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), host.port());
    }

    TestSocket open(String who, String query) throws IOException {
        return new TestSocket(socket(), "/ws?" + query, "Authorization: Bearer " + token(who));
    }

    /** Opens an event stream; {@code lastEventId} may be empty. */
    TestEventStream listen(String who, String query, String lastEventId) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                request(who, "/topics/ops/messages" + query).header("Accept", "text/event-stream");
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        TestEventStream testEventStream =
                new TestEventStream(client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
        open.add(testEventStream);
        return testEventStream;
    }

    Answer post(String who, TestEnvelope testEnvelope) throws IOException, InterruptedException {
        return post(who, "ops", testEnvelope.toString());
    }

    Answer post(String who, String topic, String body) throws IOException, InterruptedException {
        return send(request(who, "/topics/" + topic + "/messages").POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    Answer get(String who, String path) throws IOException, InterruptedException {
        return send(request(who, path));
    }

    Answer sendRequest(String method, String who, String path, String body) throws IOException, InterruptedException {
        return send(request(who, path).method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    /** The text at a path that needs no token. */
    String text(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + host.port() + path))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** The response to a long poll. */
    JsonNode poll(String who, long since, int wait) throws IOException, InterruptedException {
        Answer answer = get(who, "/topics/ops/messages?since=" + since + "&wait=" + wait);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    /** A proposal as a member sees it. */
    JsonNode proposal(String who, String id) throws IOException, InterruptedException {
        Answer answer = get(who, "/topics/ops/proposals/" + id);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    String state(String id) throws IOException, InterruptedException {
        return proposal("alice", id).path("state").asString();
    }

    String outcome(String id) throws IOException, InterruptedException {
        return proposal("alice", id).path("outcome").asString();
    }

    private HttpRequest.Builder request(String who, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + host.port() + path))
                .header("Authorization", "Bearer " + token(who));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                TestEnvelope.JSON.readTree(response.body().isEmpty() ? "{}" : response.body()));
    }

    /** Stops the server while participants are connected; only a separate process is really killed. */
    void kill() {
        host.stop().run();
    }

    /** Disconnects all participants and stops the server. */
    void stop() throws IOException {
        try {
            for (AutoCloseable each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
        open.clear();
        host.stop().run();
    }

    /** Restarts the server on the same data. */
    void start() throws IOException {
        host = launcher.up();
    }

    void restart() throws IOException {
        stop();
        start();
    }

    @Override
    public void close() throws IOException {
        stop();
        client.shutdownNow();
    }
}
