package dev.gavel.app.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a bridged server as the other participants of its topic see it. */
@SuppressWarnings("NullAway.Init") // set before the tests
final class BridgeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static TestServer server;

    private TestSocket alice;

    @BeforeAll
    static void start() throws IOException {
        server = new TestServer(config(), 1);
        await().atMost(PATIENCE).until(() -> server.isBridgeConnected("scripted"));
    }

    private static String config() {
        return TestServer.CONFIG + ScriptedMcpServer.yaml("scripted", Map.of("SECRET", "env-of-its-own"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void join() throws IOException {
        await().atMost(PATIENCE).until(() -> server.isBridgeConnected("scripted"));
        alice = server.join("alice");
    }

    @AfterEach
    void leave() throws IOException {
        alice.close();
    }

    private static String request(String id, String to, String method, String params) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\"," + to + "\"kind\":\"mcp.request." + method
                + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":\"own " + id + "\",\"method\":\"" + method
                + "\",\"params\":" + params + "}}";
    }

    private static String call(String id, String tool) {
        return request(id, "\"to\":[\"scripted\"],", "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}");
    }

    /** The response to a request, and the envelopes before it. */
    private ReceivedResponse answer(String request) throws IOException {
        List<Json> before = new ArrayList<>();
        while (true) {
            Json envelope = Json.parse(alice.read().text()).orElseThrow();
            if (envelope.at("correlation_id").text().equals(request)
                    || envelope.at("correlationId").text().equals(request)) {
                return new ReceivedResponse(envelope, before);
            }
            before.add(envelope);
        }
    }

    /** The next envelope of that kind. */
    private Json next(String kind) throws IOException {
        while (true) {
            Json envelope = Json.parse(alice.read().text()).orElseThrow();
            if (envelope.at("kind").text().equals(kind)) {
                return envelope;
            }
        }
    }

    private record ReceivedResponse(Json envelope, List<Json> before) {
        Json payload() {
            return envelope.at("payload");
        }

        List<Json> before(String kind) {
            return before.stream()
                    .filter(each -> each.at("kind").text().equals(kind))
                    .toList();
        }
    }

    @Test
    void aToolsOwnResultComesBackLetterByLetter() throws IOException {
        alice.send(call("r1", "odd"));

        ReceivedResponse answer = answer("r1");

        assertThat(answer.payload().at("result").raw()).isEqualTo(ScriptedMcpServer.UNUSUAL_RESULT);
        assertThat(answer.payload().at("id").raw()).isEqualTo("\"own r1\"");
        assertThat(answer.envelope().at("kind").text()).isEqualTo("mcp.response.tools/call:odd");
        assertThat(answer.envelope().at("to").texts()).containsExactly("alice");
        assertThat(answer.envelope().at("from").text()).isEqualTo("scripted");
    }

    @Test
    void whatIsSentToItArrivesLetterByLetter() throws IOException {
        String params = "{ \"name\":\"echo\", \"arguments\":{\"n\":1.10000000000000000000000000001, \"s\":\"\\u0061\"},"
                + "\"unknown\":[ 1 ] }";
        alice.send(request("r2", "\"to\":[\"scripted\"],", "tools/call", params));

        assertThat(answer("r2").payload().at("result").at("params").raw()).isEqualTo(params);
    }

    @Test
    void anErrorOfTheServerComesBackAsItIs() throws IOException {
        alice.send(request("r3", "\"to\":[\"scripted\"],", "completion/complete", "{}"));

        assertThat(answer("r3").payload().at("error").raw())
                .isEqualTo("{\"code\":-32601,\"message\":\"not here\",\"data\":{ \"kept\":1.0 }}");
    }

    @Test
    void aListComesWithAllItsPagesAndAgainAfterItChanged() throws IOException {
        alice.send(request("r4", "\"to\":[\"scripted\"],", "tools/list", "{}"));
        Json list = answer("r4").payload().at("result");
        assertThat(list.at("tools").elements())
                .extracting(tool -> tool.at("name").text())
                .startsWith("echo", "odd");
        assertThat(list.at("tools").raw()).contains("\"odd\":1.0");
        assertThat(list.at("nextCursor").isPresent()).isFalse();

        alice.send(call("r5", "more"));
        assertThat(answer("r5").before("mcp.request.notifications/tools/list_changed"))
                .hasSize(1);
        alice.send(request("r6", "\"to\":[\"scripted\"],", "tools/list", "{}"));
        assertThat(answer("r6").payload().at("result").at("tools").elements())
                .extracting(tool -> tool.at("name").text())
                .containsExactly("echo", "odd", "extra");
    }

    @Test
    void aListTheServerDoesNotHaveIsEmpty() throws IOException {
        alice.send(request("r7", "\"to\":[\"scripted\"],", "resources/list", "{}"));
        assertThat(answer("r7").payload().at("result").raw()).isEqualTo("{\"resources\":[]}");
        alice.send(request("r8", "\"to\":[\"scripted\"],", "prompts/list", "{}"));
        assertThat(answer("r8").payload().at("result").raw()).isEqualTo("{\"prompts\":[]}");
    }

    @Test
    void progressComesUnderTheCallersOwnTokenAndNotAfterTheAnswer() throws IOException {
        alice.send(request(
                "r9",
                "\"to\":[\"scripted\"],",
                "tools/call",
                "{\"name\":\"progress\",\"_meta\":{\"progressToken\":\"my \\u0074oken\"}}"));

        ReceivedResponse answer = answer("r9");
        List<Json> progress = answer.before("mcp.request.notifications/progress");
        assertThat(progress)
                .extracting(each -> each.at("payload").at("params").raw())
                .containsExactly(
                        "{\"progress\": 1.0,\"progressToken\":\"my \\u0074oken\", \"message\":\"step\"}",
                        "{\"progress\": 2.0,\"progressToken\":\"my \\u0074oken\", \"message\":\"step\"}");
        assertThat(progress.getFirst().at("to").texts()).containsExactly("alice");
        alice.send(call("r10", "odd"));
        assertThat(answer("r10").before("mcp.request.notifications/progress")).isEmpty();
    }

    @Test
    void aCallThatIsCalledOffIsAnsweredAtOnceAndTheServerIsTold() throws IOException {
        alice.send(call("r11", "never"));
        assertThat(next("mcp.request.notifications/message")
                        .at("payload")
                        .at("params")
                        .raw())
                .contains("never answers");
        alice.send(request(
                "c11",
                "\"to\":[\"scripted\"],",
                "notifications/cancelled",
                "{\"requestId\":\"r11\",\"reason\":\"changed my mind\"}"));

        ReceivedResponse answer = answer("r11");
        assertThat(answer.payload().at("error").at("code").asLong(0)).isEqualTo(-32800);
        Json received = answer.before("mcp.request.notifications/message").isEmpty()
                ? next("mcp.request.notifications/message")
                : answer.before("mcp.request.notifications/message").getFirst();
        assertThat(received.at("payload").at("params").at("data").text())
                .startsWith("cancelled {\"requestId\":")
                .contains("changed my mind");
    }

    @Test
    void theAnswerOfAServerThatRunsACancelledCallToTheEndIsPassedOn() throws IOException {
        alice.send(call("r-unstoppable", "unstoppable"));
        next("mcp.request.notifications/message");
        alice.send(request(
                "c-unstoppable",
                "\"to\":[\"scripted\"],",
                "notifications/cancelled",
                "{\"requestId\":\"r-unstoppable\"}"));

        assertThat(answer("r-unstoppable").payload().at("error").at("message").text())
                .contains("not known whether the call ran")
                .doesNotContain("alice");
        assertThat(answer("r-unstoppable").payload().at("result").raw()).contains("ran to the end");
    }

    @Test
    void nobodyElseCallsACallOff() throws IOException {
        alice.send(call("r12", "never"));
        next("mcp.request.notifications/message");
        try (TestSocket bob = server.join("bob")) {
            bob.send(request("c12", "\"to\":[\"scripted\"],", "notifications/cancelled", "{\"requestId\":\"r12\"}"));
            bob.send(call("r13", "odd"));
            bob.envelope("mcp.response.tools/call:odd");
        }
        alice.send(call("r12b", "odd"));
        assertThat(answer("r12b").before)
                .noneMatch(envelope -> envelope.at("correlationId").text().equals("r12"));
        alice.send(request("c13", "\"to\":[\"scripted\"],", "notifications/cancelled", "{\"requestId\":\"own r12\"}"));
        assertThat(answer("r12").payload().at("error").at("code").asLong(0)).isEqualTo(-32800);
    }

    @Test
    void aBroadcastIsNeverRun() throws IOException {
        alice.send(request("r14", "", "tools/call", "{\"name\":\"odd\"}"));
        alice.send(request("r15", "\"to\":[\"alice\"],", "tools/call", "{\"name\":\"odd\"}"));
        alice.send(call("r16", "odd"));

        assertThat(answer("r16").before("mcp.response.tools/call:odd")).isEmpty();
    }

    @Test
    void linesThatAreNoMessagesAreSurvived() throws IOException {
        alice.send(call("r17", "noise"));
        assertThat(answer("r17").payload().at("result").raw()).isEqualTo("{\"content\":[]}");
    }

    @Test
    void theServersEnvironmentIsWhatIsConfiguredAndTheFewThatEverybodyNeeds() throws IOException {
        alice.send(call("r18", "environment"));
        Json environment = answer("r18").payload().at("result").at("environment");
        assertThat(environment.at("SECRET").text()).isEqualTo("env-of-its-own");
        assertThat(environment.at("SCRIPTED").text()).isEqualTo("1");
        assertThat(environment.members().keySet())
                .isSubsetOf("SECRET", "SCRIPTED", "PATH", "HOME", "USER", "LANG", "JAVA_MAIN_CLASS");
    }

    @Test
    void aServerThatAsksForAModelIsToldThereIsNone() throws IOException {
        alice.send(call("r19", "sample"));
        Json result = answer("r19").payload().at("result");
        assertThat(result.at("refusal").at("error").at("code").asLong(0)).isEqualTo(-32601);
        assertThat(result.at("refusal").at("error").at("message").text()).contains("sampling");
        assertThat(result.at("pong").at("result").raw()).isEqualTo("{}");
    }

    @Test
    void aLongAnswerArrivesAndOneThatDoesNotFitIntoAnEnvelopeIsAnErrorThatSaysSo() throws IOException {
        alice.send(call("r20", "large"));
        assertThat(answer("r20").payload().at("result").at("text").text()).hasSize(2 * 1024 * 1024);
        alice.send(call("r21", "endless"));
        assertThat(answer("r21").payload().at("error").at("message").text()).contains("bytes");
        alice.send(call("r22", "surrogate"));
        assertThat(answer("r22").payload().at("error").at("message").text()).contains("surrogate");
    }

    @Test
    void aServerThatDiesGivesItsCallersAnErrorAndComesBack() throws IOException {
        alice.send(call("r23", "never"));
        next("mcp.request.notifications/message");
        alice.send(call("r24", "die"));

        ReceivedResponse first = answer("r23");
        assertThat(first.payload().at("error").at("message").text()).contains("exit code 3");
        assertThat(answer("r24").payload().at("error").at("message").text()).contains("exit code 3");
        next("mcp.request.notifications/tools/list_changed");
        alice.send(call("r25", "odd"));
        assertThat(answer("r25").payload().at("result").raw()).isEqualTo(ScriptedMcpServer.UNUSUAL_RESULT);
        assertThat(server.metrics())
                .contains("gavel_bridge_up{topic=\"ops\",bridge=\"scripted\"} 1")
                .contains("gavel_bridge_info{topic=\"ops\",bridge=\"scripted\",mcp=\"2025-06-18\"} 1")
                .contains("gavel_bridge_restarts_total{topic=\"ops\",bridge=\"scripted\"} 1");
    }

    @Test
    void nothingIsLeftRunningAfterTheServerStopped() throws IOException {
        long own;
        long child;
        try (TestServer other = new TestServer(config(), 1)) {
            await().atMost(PATIENCE).until(() -> other.isBridgeConnected("scripted"));
            TestSocket socket = other.join("alice");
            socket.send(call("r26", "child"));
            Json result = Json.parse(
                            socket.envelope("mcp.response.tools/call:child").toString())
                    .orElseThrow()
                    .at("payload")
                    .at("result");
            own = result.at("own").asLong(0);
            child = result.at("pid").asLong(0);
            assertThat(ProcessHandle.of(child)).isPresent();
            socket.close();
        }
        // They have been killed by now, but the operating system may need a moment to remove them.
        await().atMost(PATIENCE).until(() -> !isRunning(own) && !isRunning(child));
    }

    private static boolean isRunning(long process) {
        return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
    }
}
