package dev.gavel.app.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.interop.GavelProcessCommand;
import dev.gavel.app.interop.InteropPrograms;
import dev.gavel.mcpx.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests bridged servers of other SDKs in every MCP version that they support. */
@SuppressWarnings("NullAway.Init") // set before the tests
final class BridgeMcpVersionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AtomicInteger IDS = new AtomicInteger();

    private static final List<Process> OTHERS = new ArrayList<>();
    private static TestServer server;

    private TestSocket alice;

    @BeforeAll
    static void start() throws IOException {
        StringBuilder bridges = new StringBuilder("bridges:\n");
        for (String kind : List.of("new", "both", "old")) {
            bridges.append("  %s-pipe: {topic: ops, command: %s}\n"
                    .formatted(kind, InteropPrograms.yaml(InteropPrograms.script("eras.mjs", kind))));
            bridges.append("  %s-http: {topic: ops, url: '%s'}\n".formatted(kind, startHttpServer(kind)));
        }
        server = new TestServer(TestServer.CONFIG + bridges, 1);
        for (String kind : List.of("new", "both", "old")) {
            await().atMost(PATIENCE)
                    .until(() -> server.isBridgeConnected(kind + "-pipe") && server.isBridgeConnected(kind + "-http"));
        }
    }

    /** Starts a server over HTTP and returns its address. */
    private static String startHttpServer(String kind) throws IOException {
        Process process = new ProcessBuilder(InteropPrograms.script("eras.mjs", kind, "--http"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        OTHERS.add(process);
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }

    @AfterAll
    static void stop() {
        server.close();
        OTHERS.forEach(Process::destroyForcibly);
    }

    @BeforeEach
    void join() throws IOException {
        alice = server.join("alice");
    }

    @AfterEach
    void leave() throws IOException {
        alice.close();
    }

    private String send(String to, String method, String params) throws IOException {
        String id = "e" + IDS.incrementAndGet();
        alice.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"to\":[\"" + to + "\"],\"kind\":\"mcp.request."
                + method + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":"
                + params
                + "}}");
        return id;
    }

    private Json answer(String id) throws IOException {
        while (true) {
            Json envelope = Json.parse(alice.read().text()).orElseThrow();
            if (envelope.at("correlation_id").text().equals(id)
                    || envelope.at("correlationId").text().equals(id)) {
                return envelope.at("payload");
            }
        }
    }

    private Json request(String to, String method, String params) throws IOException {
        return answer(send(to, method, params));
    }

    private String call(String to, String tool) throws IOException {
        return words(request(to, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{\"uri\":\"eras://one\"}}"));
    }

    private static String words(Json payload) {
        return payload.at("result").at("content").elements().isEmpty()
                ? payload.raw()
                : payload.at("result")
                        .at("content")
                        .elements()
                        .getFirst()
                        .at("text")
                        .text();
    }

    /** The next envelope of that kind from a participant. */
    private Json next(String from, String kind) throws IOException {
        while (true) {
            Json envelope = Json.parse(alice.read().text()).orElseThrow();
            if (envelope.at("from").text().equals(from)
                    && envelope.at("kind").text().equals("mcp.request.notifications/" + kind)) {
                return envelope;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "new-pipe, modern",
        "new-http, modern",
        "both-pipe, modern",
        "both-http, modern",
        "old-pipe, legacy",
        "old-http, legacy"
    })
    void eachIsSpokenToInTheNewestVersionThatItKnows(String name, String era) throws IOException {
        assertThat(call(name, "era")).isEqualTo(era);
    }

    @ParameterizedTest
    @ValueSource(strings = {"new-pipe", "new-http", "old-pipe", "old-http"})
    void aListThatChangedIsToldAndFetchedAgain(String name) throws IOException {
        send(name, "tools/call", "{\"name\":\"grow\"}");
        assertThat(next(name, "tools/list_changed").raw()).doesNotContain("subscriptionId");
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(request(name, "tools/list", "{}").raw()).contains("\"grown\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"new-pipe", "new-http"})
    void aResourceThatSomebodySubscribedToIsToldOf(String name) throws IOException {
        assertThat(request(name, "resources/subscribe", "{\"uri\":\"eras://one\"}")
                        .at("result")
                        .raw())
                .isEqualTo("{}");
        send(name, "tools/call", "{\"name\":\"touch\",\"arguments\":{\"uri\":\"eras://one\"}}");
        assertThat(next(name, "resources/updated").at("payload").at("params").raw())
                .isEqualTo("{\"uri\":\"eras://one\"}");
        assertThat(request(name, "resources/unsubscribe", "{\"uri\":\"eras://one\"}")
                        .at("result")
                        .raw())
                .isEqualTo("{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"new-pipe", "new-http"})
    void whoWantsToBeAskedAgainIsAndWhoWantsMoreIsToldByWhoCanGiveIt(String name) throws IOException {
        assertThat(call(name, "again")).isEqualTo("asked again");
        assertThat(request(name, "tools/call", "{\"name\":\"ask\"}")
                        .at("error")
                        .at("code")
                        .asLong(0))
                .isEqualTo(-32021);
        String declared = "{\"name\":\"ask\",\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":"
                + "{\"elicitation\":{\"form\":{}}}}";
        Json response = request(name, "tools/call", declared + "}").at("result");
        assertThat(response.at("resultType").text()).isEqualTo("input_required");
        assertThat(response.at("inputRequests").at("name").at("method").text()).isEqualTo("elicitation/create");
        assertThat(
                        words(
                                request(
                                        name,
                                        "tools/call",
                                        declared
                                                + ",\"inputResponses\":{\"name\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}}")))
                .contains("Ada");
    }

    @ParameterizedTest
    @CsvSource({"new-pipe, 'no header: hello'", "new-http, '=?base64?bsO2cmQ=?=: hello'"})
    void anArgumentIsSaidInAHeaderWhereThereAreHeaders(String name, String heard) throws IOException {
        Json answer = request(
                name, "tools/call", "{\"name\":\"echo\",\"arguments\":{\"region\":\"n\u00f6rd\",\"words\":\"hello\"}}");
        assertThat(words(answer)).isEqualTo(heard);
    }

    @ParameterizedTest
    @ValueSource(strings = {"new-pipe", "new-http"})
    void aCallThatIsCalledOffEndsAtTheServer(String name) throws IOException {
        String id = send(name, "tools/call", "{\"name\":\"never\",\"_meta\":{\"progressToken\":1}}");
        next(name, "progress");
        send(name, "notifications/cancelled", "{\"requestId\":\"" + id + "\"}");
        assertThat(answer(id).at("error").at("code").asLong(0)).isEqualTo(-32800);
        await().atMost(PATIENCE).until(() -> call(name, "off").equals("1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"old-pipe", "old-http"})
    void whatOnlyTheNewestVersionKnowsIsNotSentToOthers(String name) throws IOException {
        Json answer = request(
                name,
                "tools/call",
                "{\"name\":\"off\",\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{},\"mine\":1,"
                        + "\"io.modelcontextprotocol\\/logLevel\":\"info\"}}");
        assertThat(words(answer)).isEqualTo("{\"mine\":1}");
    }

    @Test
    void theNewestClientSpeaksTheNewestVersionThroughACommandToo() throws Exception {
        List<String> command = new ArrayList<>(InteropPrograms.script("newest-command.mjs"));
        command.addAll(GavelProcessCommand.command("mcp", "--topic", "ops"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("GAVEL_URL", "http://" + server.listen());
        builder.environment().put("GAVEL_TOKEN", "alice" + TestServer.SECRET);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("\"version\":\"2026-07-28\"").containsPattern("\"said\":\"(modern|legacy)\"");
    }
}
