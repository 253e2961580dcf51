package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.client.Answer;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.ToolHandler;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A topic with a tool server and members of different capabilities, for tests of the MCP facade. */
final class McpTestTopic implements AutoCloseable {
    final TestServer server;
    final List<String> ran = new CopyOnWriteArrayList<>();
    private final List<Participant> participants = new CopyOnWriteArrayList<>();

    McpTestTopic(Path data) throws Exception {
        this(data, "15m", "never");
    }

    /** Creates a topic with a time to live for its proposals, and a retention for ended ones. */
    McpTestTopic(Path data, String ttl, String retention) throws Exception {
        this(data, ttl, retention, "selfApproval: false");
    }

    private McpTestTopic(Path data, String ttl, String retention, String rule) throws Exception {
        server = new TestServer("""
            listen: 127.0.0.1:0
            data: %s
            retention: %s
            limits: {ask: off, bytes: off, rate: 100000/s}
            identities:
              alice: {token: alice-0123456789abcdef, roles: [admin]}
              helper: {token: helper-0123456789abcdef, linger: 3s}
              patient: {token: patient-0123456789abcdef}
              hasty: {token: hasty-0123456789abcdef, hold: 1s, linger: 3s}
              stubborn: {token: stubborn-0123456789abcdef, onDisconnect: keep}
              separate: {token: separate-0123456789abcdef, duplicates: separate}
              keeping: {token: keeping-0123456789abcdef, onDisconnect: keep, duplicates: separate}
              eager: {token: eager-0123456789abcdef, ask: {open: 1}}
              restless: {token: restless-0123456789abcdef, ask: {hour: 2}}
              guest: {token: guest-0123456789abcdef}
              files: {token: files-0123456789abcdef}
              other: {token: other-0123456789abcdef}
              third: {token: third-0123456789abcdef}
            topics:
              ops:
                ttl: {default: %s, max: 1h}
                %s
                participants:
                  alice: ["*"]
                  helper: ["mcp.proposal.*", "mcp.request.tools/call:read_file"]
                  patient: ["mcp.proposal.*"]
                  hasty: ["mcp.proposal.*"]
                  stubborn: ["mcp.proposal.*"]
                  separate: ["mcp.proposal.*"]
                  keeping: ["mcp.proposal.*"]
                  eager: ["mcp.proposal.*"]
                  restless: ["mcp.proposal.*"]
                  guest: ["chat.*", "mcpx.reject.proposal"]
                  files: ["mcp.response.*", "mcp.request.notifications/*"]
                  other: ["mcp.response.*", "mcp.request.notifications/*"]
                  third: ["mcp.response.*", "mcp.request.notifications/*"]
              relay:
                ledger: off
                participants:
                  helper: ["mcp.proposal.*"]
            """.formatted(data, retention, ttl, rule), 2);
    }

    /** Creates a topic with the tool server {@code files}. */
    static McpTestTopic withFiles(Path data) throws Exception {
        McpTestTopic mcpTestTopic = new McpTestTopic(data);
        mcpTestTopic.serve("files", "read_file", "delete_file");
        return mcpTestTopic;
    }

    /** Creates a topic with the tool server {@code files} and another rule. */
    static McpTestTopic withFiles(Path data, String rule) throws Exception {
        McpTestTopic mcpTestTopic = new McpTestTopic(data, "15m", "never", rule);
        mcpTestTopic.serve("files", "read_file", "delete_file");
        return mcpTestTopic;
    }

    /** Connects a participant whose tools record their arguments and return them. */
    void serve(String identity, String... names) throws Exception {
        Tools tools = new Tools();
        for (String name : names) {
            tools.tool(name, recordingTool(identity, name));
        }
        serve(identity, tools);
    }

    /** Connects {@code third} with such a tool that has this schema. */
    void serveMarked(String name, String schema) throws Exception {
        serve("third", new Tools().tool(name, "", Json.parse(schema).orElseThrow(), recordingTool("third", name)));
    }

    private ToolHandler recordingTool(String identity, String name) {
        return request -> {
            Json arguments = request.call().arguments();
            ran.add(identity + " " + name + " " + arguments.compact());
            if (arguments.at("fault").isTrue()) {
                return Answer.error(-32603, "it broke");
            }
            if (arguments.at("odd").isPresent()) {
                return Answer.result(arguments.at("odd"));
            }
            return arguments.at("fail").isTrue()
                    ? Answer.failed("it did not work")
                    : Answer.text(name + " done: " + arguments.at("path").text());
        };
    }

    /** Connects a participant with these tools, and returns its connection. */
    Participant serve(String identity, Tools tools) throws Exception {
        Participant participant = connect(identity);
        participant.serve(tools);
        return participant;
    }

    /** Returns a handler that always returns this result. */
    static ToolHandler fixed(String result) {
        return request -> Answer.result(Json.parse(result).orElseThrow());
    }

    /** Connects a participant. */
    Participant connect(String identity) throws Exception {
        Participant participant = Gavel.at("http://" + server.listen())
                .token(Token.of(identity + TestServer.SECRET))
                .topic("ops")
                .connect();
        participants.add(participant);
        return participant;
    }

    TestMcpClient client(String identity) throws Exception {
        TestMcpClient client = new TestMcpClient(server, "ops", identity);
        client.initialize();
        return client;
    }

    /** The proposals of the topic, newest first, as alice sees them. */
    List<Json> proposals() throws Exception {
        return get("/topics/ops/proposals").at("proposals").elements();
    }

    /** Waits until the newest recorded call has an outcome. */
    Json awaitCall(String outcome) {
        return await().until(
                        () -> get("/topics/ops/calls?limit=1").at("calls").elements().stream()
                                .filter(each -> each.at("outcome").text().equals(outcome))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    Json proposal(String id) throws Exception {
        return get("/topics/ops/proposals/" + id);
    }

    /** Lets {@code helper} propose a tool call. */
    void propose(String id, String tool) throws Exception {
        propose(id, tool, "{}");
    }

    /** Lets {@code helper} propose a tool call, addressed to no participant; single quotes stand for double quotes. */
    void propose(String id, String tool, String arguments) throws Exception {
        String envelope = "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'mcp.proposal.tools/call:" + tool
                + "','payload':{'method':'tools/call','params':{'name':'" + tool + "','arguments':" + arguments
                + "}}}";
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/topics/ops/messages"))
                        .header("Authorization", "Bearer helper" + TestServer.SECRET)
                        .POST(HttpRequest.BodyPublishers.ofString(envelope.replace('\'', '"')))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    }

    /** Lets alice approve a proposal by sending the call itself, with any parameters. */
    void fulfil(String proposal, String runner, String methodAndContext, String params) throws Exception {
        String method = methodAndContext.substring(0, methodAndContext.indexOf(':'));
        String envelope = "{'protocol':'mcpx/v0.1','id':'f-" + proposal + "','correlationId':'" + proposal
                + "','to':['" + runner + "'],'kind':'mcp.request." + methodAndContext
                + "','payload':{'jsonrpc':'2.0','id':1,'method':'" + method + "','params':" + params + "}}";
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/topics/ops/messages"))
                        .header("Authorization", "Bearer alice" + TestServer.SECRET)
                        .POST(HttpRequest.BodyPublishers.ofString(envelope.replace('\'', '"')))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    }

    private Json get(String path) throws Exception {
        return getAs("alice", path);
    }

    Json getAs(String identity, String path) throws Exception {
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + server.listen() + path))
                        .header("Authorization", "Bearer " + identity + TestServer.SECRET)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return Json.parse(response.body()).orElseThrow();
    }

    /** Waits for the one open proposal and returns its id. */
    String awaitOpenProposal() {
        return await().until(
                        () -> proposals().stream()
                                .filter(each -> each.at("state").text().equals("open"))
                                .map(each -> each.at("id").text())
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until a proposal is in a state. */
    Json awaitState(String id, String state) {
        return await().until(() -> proposal(id), it -> it.at("state").text().equals(state));
    }

    /** Waits until the gateway has noticed that the caller of a proposal lost its connection. */
    Json awaitCallerDisconnected(String id) {
        return await().atMost(Duration.ofSeconds(20))
                .until(() -> proposal(id), it -> it.at("callerDisconnected").isPresent());
    }

    void approve(String id) throws Exception {
        Json result = client("alice").call("gavel_approve", "{\"proposal\":\"" + id + "\",\"confirm\":true}");
        assertThat(result.at("isError").isTrue()).as(result.raw()).isFalse();
    }

    /** Lets alice approve a proposal with other arguments. */
    void approve(String id, String arguments) throws Exception {
        Json result = client("alice")
                .call(
                        "gavel_approve",
                        "{\"proposal\":\"" + id + "\",\"confirm\":true,\"arguments\":" + arguments + "}");
        assertThat(result.at("isError").isTrue()).as(result.raw()).isFalse();
    }

    @Override
    public void close() {
        participants.forEach(Participant::close);
        server.close();
    }
}
