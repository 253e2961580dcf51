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

/**
 * A topic with a ledger on a real server, and one without; can be stopped and restarted. It can be stopped and started
 * again on what it kept.
 */
final class TestTopic implements AutoCloseable {
    /**
     * Alice and bob could fulfil the calls of tools and may reject; carol may only reject; helper proposes; files and
     * search answer. Nobody may read resources. Alice is an admin.
     */
    static final Map<String, String> MEMBERS = members(
            "alice: mcp.request.tools/*, mcp.proposal.*, mcp.response.*, mcpx.*, chat.*, trace.*",
            "bob: mcp.request.tools/*, mcpx.reject.proposal, mcpx.status.proposal, chat.*",
            "carol: mcpx.reject.proposal, mcpx.status.proposal, mcpx.withdraw.proposal, chat.*",
            "helper: mcp.proposal.*, mcpx.withdraw.proposal, chat.*",
            "files: mcp.response.*, chat.*",
            "search: mcp.response.*, chat.*");

    /** A member of this name has no token. */
    static final String TOKENLESS = "tokenless";

    private final TestTopicHost.Start start;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, String> tokens = new ConcurrentHashMap<>();
    private TestTopicHost host;

    /** What came back by plain HTTP. */
    record Answer(int status, String type, JsonNode body) {
        String code() {
            return body.path("code").asString();
        }
    }

    /** A room with the usual members. */
    TestTopic(Path data, String... rules) throws IOException {
        this(data, MEMBERS, rules);
    }

    /**
     * A room with these members.
     *
     * @param rules what the topic says besides, a line each
     */
    TestTopic(Path data, Map<String, String> members, String... rules) throws IOException {
        this(() -> TestTopicHost.inHere(config(data, members, rules)));
    }

    private TestTopic(TestTopicHost.Start start) throws IOException {
        this.start = start;
        this.host = start.up();
    }

    /** A room whose server is a process of its own, and is killed when it is stopped. */
    static TestTopic mortal(Path directory) throws IOException {
        return new TestTopic(() -> TestTopicHost.inAProcess(directory, config(directory.resolve("data"), MEMBERS)));
    }

    /** A room that sends its traces to a collector. */
    static TestTopic traced(Path data, String collector) throws IOException {
        return new TestTopic(() -> TestTopicHost.inHere("traces: " + collector + "\n" + config(data, MEMBERS)));
    }

    /** One into whose topic something is bridged that says nothing. */
    static TestTopic bridging(Path data) throws IOException {
        return new TestTopic(
                () -> TestTopicHost.inHere("bridges: {tools: {topic: ops, command: [cat]}}\n" + config(data, MEMBERS)));
    }

    private static String config(Path data, Map<String, String> members, String... rules) {
        String participants = lines(members.entrySet().stream()
                .map(member -> "      " + member.getKey() + ": " + member.getValue())
                .toList());
        return "listen: 127.0.0.1:0\ndata: \"" + data + "\"\nlimits: {rate: 100000/s}\nidentities:\n"
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

    /** From now on somebody of this name comes with that token. */
    void remember(String who, String token) {
        tokens.put(who, token);
    }

    /** Has alice make a token with this body, by which somebody of that name comes from now on; the answer says more. */
    JsonNode makeToken(String who, String body) throws IOException, InterruptedException {
        Answer answer = ask("POST", "alice", "/tokens", body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        remember(who, answer.body().path("token").asString());
        return answer.body();
    }

    private String token(String who) {
        return tokens.getOrDefault(who, who + TestServer.SECRET);
    }

    TestParticipant join(String who) throws IOException {
        return join(who, "");
    }

    /** Joins with more in the query, such as {@code &mode=directed}. */
    TestParticipant join(String who, String more) throws IOException {
        return joinTopic(who, "ops", more);
    }

    TestParticipant joinTopic(String who, String topic, String more) throws IOException {
        TestParticipant testParticipant = new TestParticipant(open(who, "topic=" + topic + more));
        open.add(testParticipant);
        return testParticipant;
    }

    /** The status a handshake with this query is answered with. */
    int knock(String who, String query) throws IOException {
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

    Answer ask(String method, String who, String path, String body) throws IOException, InterruptedException {
        return send(request(who, path).method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    /** What anybody can read at a path, as it is. */
    String text(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + host.port() + path))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** What a long poll brings. */
    JsonNode poll(String who, long since, int wait) throws IOException, InterruptedException {
        Answer answer = get(who, "/topics/ops/messages?since=" + since + "&wait=" + wait);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    /** A proposal as a member is shown it. */
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

    /** Stops the server without anybody having left: only a process of its own can be. */
    void kill() {
        host.stop().run();
    }

    /** Lets everybody leave and stops the server. */
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

    /** Starts it again on the same data. */
    void start() throws IOException {
        host = start.up();
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
