package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what clients of MCP 2026-07-28 see of a topic, on a running server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatelessFacadeTest {
    private McpTestTopic mcpTestTopic;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
    }

    @AfterAll
    void stop() {
        mcpTestTopic.close();
    }

    private StatelessMcpClient client(String identity) {
        return new StatelessMcpClient(mcpTestTopic.server, identity);
    }

    @Test
    void aClientFindsOutWhatIsSpokenAndWhatThereIs() throws Exception {
        Json result = client("helper").requestAndAwait("server/discover", "{}").at("result");
        assertThat(result.at("resultType").text()).isEqualTo("complete");
        assertThat(result.at("supportedVersions").texts()).containsExactly("2026-07-28", "2025-11-25", "2025-06-18");
        assertThat(result.at("capabilities").members()).containsKeys("tools", "prompts", "resources", "completions");
        assertThat(result.at("capabilities").at("extensions").members())
                .containsOnlyKeys("io.modelcontextprotocol/tasks");
        assertThat(result.at("instructions").text()).contains("approval");
        assertThat(result.at("_meta")
                        .at("io.modelcontextprotocol/serverInfo")
                        .at("name")
                        .text())
                .isEqualTo("gavel");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"})
    void whatMayBeKeptSaysForHowLongAndByWhom(String method) throws Exception {
        Json result = client("helper").requestAndAwait(method, "{}").at("result");
        assertThat(result.at("resultType").text()).isEqualTo("complete");
        assertThat(Long.parseLong(result.at("ttlMs").text())).isNotNegative();
        assertThat(result.at("cacheScope").text()).isEqualTo("private");
    }

    @Test
    void bothErasListTheSameTools() throws Exception {
        Json listed = client("helper")
                .requestAndAwait("tools/list", "{}")
                .at("result")
                .at("tools");
        assertThat(listed.elements().stream().map(tool -> tool.at("name").text()))
                .containsExactlyElementsOf(mcpTestTopic.client("helper").tools());
    }

    @Test
    void whatTheCallerMayCallIsCalledAtOnceAndAnsweredByTheToolItself() throws Exception {
        PendingResponse call = client("helper").begin("tools/call", params("read_file", "{\"path\":\"s.txt\"}"));
        assertThat(call.events).isFalse();
        Json result = call.answer().at("result");
        assertThat(text(result)).isEqualTo("read_file done: s.txt");
        assertThat(result.at("resultType").text()).isEqualTo("complete");
    }

    @Test
    void whatTheCallerMayOnlyProposeIsWaitedFor() throws Exception {
        PendingResponse call = client("helper")
                .begin("tools/call", params("delete_file", "{\"path\":\"waited\"}"), ",\"progressToken\":\"p\"");
        Json progress = call.next().orElseThrow();
        assertThat(progress.at("params").at("progressToken").text()).isEqualTo("p");
        assertThat(progress.at("params").at("message").text()).contains("alice");
        assertThat(call.lastEvent).as("no event has an id").isEmpty();
        Json proposal = mcpTestTopic.proposals().getFirst();
        assertThat(proposal.at("payload").raw())
                .as("a reviewer sees the call, not what the client says of itself")
                .doesNotContain("io.modelcontextprotocol");
        mcpTestTopic.approve(proposal.at("id").text());
        assertThat(text(call.answer().at("result"))).isEqualTo("delete_file done: waited");
    }

    @Test
    void aWaitingClientWhoseTokenIsRevokedIsAnsweredAndItsProposalWithdrawn(@TempDir Path own) throws Exception {
        try (McpTestTopic topic = McpTestTopic.withFiles(own)) {
            PendingResponse call = new StatelessMcpClient(topic.server, "helper")
                    .begin("tools/call", params("delete_file", "{\"path\":\"x\"}"), ",\"progressToken\":1");
            call.next();
            HttpResponse<String> revoked = TestMcpClient.HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://" + topic.server.listen() + "/tokens/helper"))
                            .header("Authorization", "Bearer alice" + TestServer.SECRET)
                            .DELETE()
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(revoked.statusCode()).as(revoked.body()).isEqualTo(200);
            assertThat(call.answer().at("error").at("message").text())
                    .contains("the client's token is no longer valid");
            Json last = topic.awaitState(topic.proposals().getFirst().at("id").text(), "withdrawn")
                    .at("timeline")
                    .elements()
                    .getLast();
            assertThat(last.at("by").text()).isEqualTo("system:gateway");
        }
    }

    @Test
    void whoClosesTheConnectionHasCalledItOffAtOnceWhateverTheSettings() throws Exception {
        PendingResponse call = client("stubborn")
                .begin("tools/call", params("delete_file", "{\"path\":\"closed\"}"), ",\"progressToken\":1");
        call.next();
        String id = mcpTestTopic.proposals().getFirst().at("id").text();
        call.cut();
        Json after = mcpTestTopic.awaitState(id, "withdrawn");
        assertThat(after.raw()).contains("the client closed its connection");
    }

    @ParameterizedTest
    @CsvSource({
        "MCP-Protocol-Version, ''",
        "MCP-Protocol-Version, 2025-11-25",
        "Mcp-Method, ''",
        "Mcp-Method, tools/list",
        "Mcp-Method, Tools/Call",
        "Mcp-Name, ''",
        "Mcp-Name, delete_file",
        "Mcp-Name, =?base64?????=",
    })
    void headersThatDoNotSayWhatTheBodySaysAreRefused(String header, String value) throws Exception {
        String body = "{\"name\":\"read_file\",\"arguments\":{},\"_meta\":"
                + client("helper").meta("") + "}";
        Map<String, String> headers = new HashMap<>(
                StatelessMcpClient.headers("tools/call", Json.parse(body).orElseThrow()));
        headers.remove(header);
        if (!value.isEmpty()) {
            headers.put(header, value);
        }
        PendingResponse refused = client("helper").send("tools/call", body, headers);
        assertThat(refused.status).isEqualTo(400);
        Json error = refused.answer().at("error");
        assertThat(error.at("code").text()).isEqualTo("-32020");
        assertThat(error.at("message").text()).contains(header);
    }

    @Test
    void aNameMayBeWrittenInBase64() throws Exception {
        String body = "{\"name\":\"read_file\",\"arguments\":{\"path\":\"b64\"},\"_meta\":"
                + client("helper").meta("") + "}";
        Map<String, String> headers = new HashMap<>(
                StatelessMcpClient.headers("tools/call", Json.parse(body).orElseThrow()));
        headers.put("Mcp-Name", "=?base64?cmVhZF9maWxl?=");
        assertThat(text(client("helper")
                        .send("tools/call", body, headers)
                        .answer()
                        .at("result")))
                .isEqualTo("read_file done: b64");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"_meta\":{}}",
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}",
                "{\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{}}}",
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":7}}",
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{},\"io.modelcontextprotocol/logLevel\":\"loud\"}}",
            })
    void aRequestThatDoesNotSayWhatItMustOfItselfIsRefused(String params) throws Exception {
        PendingResponse refused =
                client("helper").send("tools/list", params, StatelessMcpClient.headers("tools/list", Json.object()));
        assertThat(refused.status).isEqualTo(400);
        assertThat(refused.answer().at("error").at("code").text()).isEqualTo("-32602");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1900-01-01", "2025-11-25"})
    void aVersionThatIsNotSpokenWithoutSessionsIsRefusedWithThoseThatAreSpoken(String version) throws Exception {
        Map<String, String> headers = new HashMap<>(StatelessMcpClient.headers("tools/list", Json.object()));
        headers.put("MCP-Protocol-Version", version);
        PendingResponse refused = client("helper")
                .send(
                        "tools/list",
                        "{\"_meta\":" + client("helper").meta("").replace(StatelessMcpClient.VERSION, version) + "}",
                        headers);
        assertThat(refused.status).isEqualTo(400);
        Json error = refused.answer().at("error");
        assertThat(error.at("code").text()).isEqualTo("-32022");
        assertThat(error.at("data").at("supported").texts()).contains(StatelessMcpClient.VERSION);
        assertThat(error.at("data").at("requested").text()).isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ping", "initialize", "logging/setLevel", "resources/subscribe", "tasks/result", "tasks/list"})
    void aMethodThatThisVersionHasNotIsNotThere(String method) throws Exception {
        PendingResponse refused =
                client("helper").withCapabilities(StatelessMcpClient.TASKS).begin(method, "{}");
        assertThat(refused.status).isEqualTo(404);
        assertThat(refused.answer().at("error").at("code").text()).isEqualTo("-32601");
    }

    @Test
    void aResourceThatNobodyHasIsAWrongParameter() throws Exception {
        Json error = client("alice")
                .requestAndAwait("resources/read", "{\"uri\":\"none://such\"}")
                .at("error");
        assertThat(error.at("code").text()).isEqualTo("-32602");
        assertThat(error.at("data").at("uri").text()).isEqualTo("none://such");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void thereAreNoSessionsToListenInOrToEnd(String method) throws Exception {
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                client("helper")
                        .post("", Map.of("MCP-Protocol-Version", StatelessMcpClient.VERSION))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).contains("POST");
    }

    @Test
    void aNotificationIsTakenAndMeansNothing() throws Exception {
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                client("helper")
                        .post(
                                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
                                Map.of("MCP-Protocol-Version", StatelessMcpClient.VERSION))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(202);
    }

    @Test
    void whoListensIsToldOfWhatTheyAskedForAndNothingElse() throws Exception {
        PendingResponse tools =
                client("hasty").begin("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}");
        PendingResponse prompts =
                client("hasty").begin("subscriptions/listen", "{\"notifications\":{\"promptsListChanged\":true}}");
        for (PendingResponse listening : new PendingResponse[] {tools, prompts}) {
            Json first = listening.next().orElseThrow();
            assertThat(first.at("method").text()).isEqualTo("notifications/subscriptions/acknowledged");
            assertThat(subscription(first)).isEqualTo(listening.id);
        }
        client("hasty").requestAndAwait("tools/list", "{}");
        mcpTestTopic.serve("other", "search");
        Json news = tools.next().orElseThrow();
        assertThat(news.at("method").text()).isEqualTo("notifications/tools/list_changed");
        assertThat(subscription(news)).isEqualTo(tools.id);
        assertThat(prompts.waiting()).isEmpty();
        tools.cut();
        prompts.cut();
    }

    @Test
    void listeningNeedsAStreamAndSomethingToListenFor() throws Exception {
        String body =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{},\"_meta\":"
                        + client("guest").meta("") + "}}";
        HttpResponse<String> refused = TestMcpClient.HTTP.send(
                client("guest")
                        .post(body, StatelessMcpClient.headers("subscriptions/listen", Json.object()))
                        .setHeader("Accept", "application/json")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(406);
        assertThat(client("guest")
                        .requestAndAwait("subscriptions/listen", "{}")
                        .at("error")
                        .at("code")
                        .text())
                .isEqualTo("-32602");
    }

    @Test
    void nobodyListensMoreThanAHundredTimes() throws Exception {
        List<PendingResponse> open = new ArrayList<>();
        for (int time = 0; time < 100; time++) {
            open.add(client("other").begin("subscriptions/listen", "{\"notifications\":{}}"));
        }
        Json error = client("other")
                .requestAndAwait("subscriptions/listen", "{\"notifications\":{}}")
                .at("error");
        assertThat(error.at("code").text()).isEqualTo("-31003");
        for (PendingResponse each : open) {
            each.cut();
        }
        await().until(() -> {
            PendingResponse again = client("other").begin("subscriptions/listen", "{\"notifications\":{}}");
            boolean taken = again.next().orElseThrow().at("method").isPresent();
            again.cut();
            return taken;
        });
    }

    private static String subscription(Json notification) {
        return notification
                .at("params")
                .at("_meta")
                .at("io.modelcontextprotocol/subscriptionId")
                .raw();
    }

    @Test
    void resourcesThatNobodyHasAreNotListenedTo() throws Exception {
        PendingResponse listening = client("alice")
                .begin(
                        "subscriptions/listen",
                        "{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"none://such\"]}}");
        assertThat(listening
                        .next()
                        .orElseThrow()
                        .at("params")
                        .at("notifications")
                        .raw())
                .isEqualTo("{\"toolsListChanged\":true}");
        listening.cut();
    }

    @Test
    void anArgumentThatAHeaderSaysTooIsHeldAgainstIt() throws Exception {
        mcpTestTopic.serveMarked(
                "search_in",
                "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}");
        StatelessMcpClient alice = client("alice");
        await().until(() -> alice.requestAndAwait("tools/list", "{}").raw().contains("search_in"));
        String body = "{\"name\":\"search_in\",\"arguments\":{\"region\":\"eu\"},\"_meta\":" + alice.meta("") + "}";
        Map<String, String> headers = new HashMap<>(
                StatelessMcpClient.headers("tools/call", Json.parse(body).orElseThrow()));
        PendingResponse missing = alice.send("tools/call", body, headers);
        assertThat(missing.status).isEqualTo(400);
        assertThat(missing.answer().at("error").at("code").text()).isEqualTo("-32020");
        headers.put("Mcp-Param-Region", "us");
        assertThat(alice.send("tools/call", body, headers).status).isEqualTo(400);
        headers.put("Mcp-Param-Region", "eu");
        assertThat(alice.send("tools/call", body, headers)
                        .answer()
                        .at("result")
                        .at("content")
                        .isPresent())
                .isTrue();
    }
}
