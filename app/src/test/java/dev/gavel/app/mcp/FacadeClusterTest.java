package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.bridge.ScriptedMcpServer;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.gateway.bus.nats.NatsServer;
import dev.gavel.gateway.bus.nats.TcpProxy;
import dev.gavel.ledger.postgres.TestPostgresServer;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests MCP clients behind a load balancer that sends every request to another process, with a bridge that one of the
 * processes runs.
 */
@SuppressWarnings("NullAway.Init") // set before each test
@Execution(ExecutionMode.CONCURRENT) // each test has its own servers, and mostly waits
class FacadeClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path data;

    private NatsServer nats;
    private TcpProxy busOfOne;
    private TestServer one;
    private TestServer other;

    @BeforeEach
    void start() throws Exception {
        nats = new NatsServer();
        busOfOne = new TcpProxy(nats.port());
        String config = """
            listen: 127.0.0.1:0
            data: %s
            ledger: "%s"
            bus: %s
            identities:
              alice: {token: alice-0123456789abcdef}
              hasty: {token: hasty-0123456789abcdef, hold: 1s}
              helper: {token: helper-0123456789abcdef}
            topics:
              ops:
                secret: [password]
                participants:
                  alice: ["*"]
                  hasty: ["mcp.proposal.*"]
                  helper: ["mcp.proposal.*"]
            """.formatted(data, TestPostgresServer.shared().freshSchema(), nats.uri())
                + ScriptedMcpServer.yaml("scripted", Map.of());
        one = new TestServer(config.replace(nats.uri().toString(), "nats://127.0.0.1:" + busOfOne.port()), 1);
        await().atMost(PATIENCE).until(() -> one.isBridgeConnected("scripted"));
        other = new TestServer(config, 1);
        await().atMost(PATIENCE).until(() -> client(other, "alice").tools().contains("echo"));
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
        busOfOne.close();
        nats.close();
    }

    private static TestMcpClient client(TestServer server, String identity) throws Exception {
        TestMcpClient client = new TestMcpClient(server, "ops", identity);
        client.initialize();
        return client;
    }

    private static Json get(TestServer server, String path) throws Exception {
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/topics/ops/" + path))
                        .header("Authorization", "Bearer alice" + TestServer.SECRET)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return Json.parse(response.body()).orElseThrow();
    }

    private List<Json> proposals() throws Exception {
        return get(other, "proposals").at("proposals").elements();
    }

    private String approve(TestServer at) throws Exception {
        String id = proposals().getFirst().at("id").text();
        Json result = client(at, "alice").call("gavel_approve", "{\"proposal\":\"" + id + "\",\"confirm\":true}");
        assertThat(result.at("isError").isTrue()).as(result.raw()).isFalse();
        return id;
    }

    @Test
    void aPendingCallIsOneProposalWhereverItIsCalledAgainAndItsEndIsHandedOutOnce() throws Exception {
        TestMcpClient firstClient = client(one, "hasty");
        TestMcpClient secondClient = client(other, "hasty");
        for (TestMcpClient each : List.of(firstClient, secondClient, firstClient, secondClient)) {
            assertThat(text(each.call("echo", "{\"n\":1}"))).startsWith("Pending");
        }
        assertThat(proposals()).hasSize(1);

        PendingResponse last = firstClient.begin("tools/call", params("echo", "{\"n\":1}"));
        approve(other);
        assertThat(last.answer().at("result").at("params").at("arguments").raw())
                .isEqualTo("{\"n\":1}");

        // The same call again is a new one, at either process.
        assertThat(text(secondClient.call("echo", "{\"n\":1}"))).startsWith("Pending");
        assertThat(proposals()).hasSize(2);
    }

    @Test
    void secretArgumentsAreHiddenAtTheOtherProcessTooButNotFromTheRunner() throws Exception {
        String hidden = "\"password\":{\"dev.gavel/redacted\":\"secret\"}";
        try (TestSocket listener = other.join("hasty")) {
            PendingResponse call =
                    client(one, "helper").begin("tools/call", params("echo", "{\"password\":\"hunter2-hunter2\"}"));
            assertThat(listener.envelope("mcp.proposal.tools/call:echo").toString())
                    .contains(hidden);
            await().atMost(PATIENCE).until(() -> !proposals().isEmpty());
            approve(other);
            assertThat(listener.envelope("mcp.request.tools/call:echo").toString())
                    .contains(hidden);
            assertThat(call.answer()
                            .at("result")
                            .at("params")
                            .at("arguments")
                            .at("password")
                            .text())
                    .isEqualTo("hunter2-hunter2");
        }
    }

    @Test
    void aPermittedCallIsRecordedAtOneProcessAndItsAnswerAtAnother() throws Exception {
        client(other, "alice").call("echo", "{\"text\":\"hello\"}");
        Json call = await().atMost(PATIENCE)
                .until(
                        () -> get(one, "calls").at("calls").elements(),
                        calls -> calls.stream()
                                .anyMatch(each -> each.at("outcome").text().equals("ok")))
                .getFirst();
        assertThat(call.at("by").text()).isEqualTo("alice");
        assertThat(call.at("answeredBy").text()).isEqualTo("scripted");
        assertThat(call.at("micros").isPresent()).isTrue();
    }

    @Test
    void whatWasDecidedMeanwhileIsFetchedAtAnotherProcessAndOnce() throws Exception {
        TestMcpClient firstClient = client(one, "hasty");
        TestMcpClient secondClient = client(other, "hasty");
        assertThat(text(firstClient.call("echo", "{\"n\":2}"))).startsWith("Pending");
        String id = approve(one);
        await().until(() -> get(other, "proposals/" + id).at("outcome").text().equals("succeeded"));
        assertThat(secondClient
                        .call("echo", "{\"n\":2}")
                        .at("params")
                        .at("arguments")
                        .raw())
                .isEqualTo("{\"n\":2}");

        // The process that announced the pending result no longer has it, either.
        assertThat(text(firstClient.call("echo", "{\"n\":2}"))).startsWith("Pending");
        assertThat(proposals()).hasSize(2);
    }

    @Test
    void clientsThatWaitForTheSameCallAtTwoProcessesBothGetItsResult() throws Exception {
        assertThat(text(client(one, "hasty").call("echo", "{\"n\":3}"))).startsWith("Pending");
        String call = TestMcpClient.withProgress("echo", "{\"n\":3}", "\"t\"");
        PendingResponse firstClient = client(one, "hasty").begin("tools/call", call);
        PendingResponse secondClient = client(other, "hasty").begin("tools/call", call);
        approve(one);
        for (PendingResponse each : List.of(firstClient, secondClient)) {
            Json result = each.answer().at("result");
            assertThat(result.at("params").at("arguments").raw()).isEqualTo("{\"n\":3}");
            assertThat(result.at("_meta").at("dev.gavel/joined").isTrue()).isTrue();
        }
        assertThat(proposals()).hasSize(1);
    }

    @Test
    void anApprovalAtOneProcessWaitsUntilTheCallerCallsAgainAtAnother() throws Exception {
        PendingResponse lost = client(one, "helper").begin("tools/call", params("echo", "{\"n\":5}"));
        await().atMost(PATIENCE).until(() -> proposals().size() == 1);
        String id = proposals().getFirst().at("id").text();
        lost.cut();
        await().atMost(PATIENCE)
                .until(() ->
                        get(other, "proposals/" + id).at("callerDisconnected").isPresent());
        approve(other);
        await().until(() -> get(one, "proposals/" + id).at("heldApproval").isPresent());
        assertThat(get(one, "proposals/" + id).at("state").text()).isEqualTo("open");
        Json result = client(one, "helper").call("echo", "{\"n\":5}");
        assertThat(result.at("params").at("arguments").raw()).isEqualTo("{\"n\":5}");
        assertThat(proposals()).hasSize(1);
    }

    @Test
    void otherClientsKeepWaitingIfOneCancelsAtAnotherProcess() throws Exception {
        String call = TestMcpClient.withProgress("echo", "{\"n\":7}", "\"t\"");
        PendingResponse waiting = client(one, "helper").begin("tools/call", call);
        await().atMost(PATIENCE).until(() -> proposals().size() == 1);
        String id = proposals().getFirst().at("id").text();
        TestMcpClient secondClient = client(other, "helper");
        PendingResponse cancelled = secondClient.begin("tools/call", call);
        await().until(() -> get(one, "proposals/" + id).raw().contains("caller_waits"));
        secondClient.notify("notifications/cancelled", "{\"requestId\":" + cancelled.id + "}");
        await().until(() -> get(one, "proposals/" + id).raw().contains("caller_disconnected"));
        await().until(() ->
                !get(other, "proposals/" + id).at("callerDisconnected").isPresent());
        approve(other);
        assertThat(waiting.answer().at("result").at("params").at("arguments").raw())
                .isEqualTo("{\"n\":7}");
    }

    @Test
    void aProposalIsWithdrawnWhenTheLastClientCancels() throws Exception {
        String call = TestMcpClient.withProgress("echo", "{\"n\":8}", "\"t\"");
        TestMcpClient firstClient = client(one, "helper");
        PendingResponse first = firstClient.begin("tools/call", call);
        await().atMost(PATIENCE).until(() -> proposals().size() == 1);
        String id = proposals().getFirst().at("id").text();
        TestMcpClient secondClient = client(other, "helper");
        PendingResponse second = secondClient.begin("tools/call", call);
        await().until(() -> get(one, "proposals/" + id).raw().contains("caller_waits"));
        firstClient.notify("notifications/cancelled", "{\"requestId\":" + first.id + "}");
        secondClient.notify("notifications/cancelled", "{\"requestId\":" + second.id + "}");
        await().atMost(PATIENCE)
                .until(() -> get(one, "proposals/" + id).at("state").text().equals("withdrawn"));
    }

    @Test
    void aProcessThatIsCutOffRecordsThatItsClientStillWaits() throws Exception {
        PendingResponse call =
                client(one, "helper").begin("tools/call", TestMcpClient.withProgress("echo", "{\"n\":6}", "\"t\""));
        await().atMost(PATIENCE).until(() -> proposals().size() == 1);
        String id = proposals().getFirst().at("id").text();
        busOfOne.cut();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> get(one, "proposals/" + id).raw().contains("caller_disconnected"));
        await().atMost(PATIENCE).until(() -> get(other, "proposals/" + id).raw().contains("caller_waits"));
        assertThat(get(other, "proposals/" + id).at("callerDisconnected").isPresent())
                .isFalse();
        busOfOne.restore();
        await().atMost(PATIENCE).until(() -> client(other, "alice").tools().contains("echo"));
        approve(other);
        assertThat(call.answer().at("result").at("params").at("arguments").raw())
                .isEqualTo("{\"n\":6}");
    }

    @Test
    void aCallThatIsRepeatedAtAnotherProcessIsOneProposal() throws Exception {
        String call = TestMcpClient.withProgress("echo", "{\"n\":4}", "\"t\"");
        PendingResponse firstClient = client(one, "hasty").begin("tools/call", call);
        await().atMost(PATIENCE).until(() -> proposals().size() == 1);
        PendingResponse secondClient = client(other, "hasty").begin("tools/call", call);
        firstClient.cut();
        approve(other);
        assertThat(secondClient
                        .answer()
                        .at("result")
                        .at("params")
                        .at("arguments")
                        .raw())
                .isEqualTo("{\"n\":4}");
        assertThat(proposals()).hasSize(1);
        assertThat(text(client(one, "hasty").call("echo", "{\"n\":4}")))
                .as("a delivered result is not returned again")
                .startsWith("Pending");
        assertThat(proposals()).hasSize(2);
    }

    @Test
    void aCallThatRunsWhenItsBridgeIsHandedOverIsAnsweredWithDoubtAtOnce() throws Exception {
        try (TestSocket alice = other.join("alice");
                TestSocket helper = other.join("helper")) {
            String call =
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":" + params("never", "{}") + "}";
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1\",\"kind\":\"mcp.proposal.tools/call:never\","
                    + "\"to\":[\"scripted\"],\"payload\":" + call + "}");
            alice.envelope("mcp.proposal.tools/call:never");
            alice.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"r-1\",\"kind\":\"mcp.request.tools/call:never\","
                    + "\"to\":[\"scripted\"],\"correlationId\":\"p-1\",\"payload\":" + call + "}");
            while (!alice.envelope("mcp.request.notifications/message")
                    .toString()
                    .contains("never answers")) {
                // Skips other log messages of the server.
            }
            one.close();
            assertThat(alice.envelope("mcp.response.tools/call:never").toString())
                    .contains("-31000", "not known");
            assertThat(get(other, "proposals/p-1").at("outcome").text()).isEqualTo("failed");
        }

        await().atMost(PATIENCE).until(() -> other.isBridgeConnected("scripted"));
        assertThat(client(other, "alice").call("echo", "{\"n\":3}").at("params").isPresent())
                .isTrue();
    }
}
