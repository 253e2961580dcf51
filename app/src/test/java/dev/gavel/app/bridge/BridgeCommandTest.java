package dev.gavel.app.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.interop.GavelProcessCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code gavel bridge} in a separate process. */
@SuppressWarnings("NullAway.Init") // set before the tests
final class BridgeCommandTest {
    @TempDir
    private static Path data;

    private static TestServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new TestServer(
                TestServer.CONFIG
                        .replace("ledger: off", "ledger: on")
                        .replace("[\"mcp.proposal.*\"", "[\"mcp.request.notifications/cancelled\", \"mcp.proposal.*\"")
                        .replace("listen:", "data: " + data + "\nlisten:"),
                1);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Process bridge(String token, List<String> program) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("bridge", "--topic", "ops", "--name", "files", "--gateway", "http://" + server.listen(), "--"));
        words.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(GavelProcessCommand.command(words.toArray(String[]::new)));
        builder.environment().put("GAVEL_TOKEN", token + TestServer.SECRET);
        return builder.start();
    }

    private static BufferedReader lines(InputStream in) {
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    private static String call(String id, String tool) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id
                + "\",\"to\":[\"files\"],\"kind\":\"mcp.request.tools/call\","
                + "\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\"}}}";
    }

    @Test
    void aServerIsBridgedFromAnotherProcessUntilThatIsToldToStop() throws Exception {
        Process process = bridge("files", ScriptedMcpServer.command());
        try (TestSocket alice = server.join("alice")) {
            assertThat(lines(process.getInputStream()).readLine())
                    .isEqualTo("connected 'files' to topic 'ops' with 2 tools");
            alice.send(call("r1", "odd"));
            assertThat(alice.envelope("mcp.response.tools/call:odd").toString()).contains("newField");
            whoProposedACallMayCallItOff(alice);
            alice.send(call("r2", "child"));
            var result = alice.envelope("mcp.response.tools/call:child")
                    .path("payload")
                    .path("result");
            // Process.destroy would close the stream that is read below.
            assertThat(process.toHandle().destroy()).isTrue();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(lines(process.getErrorStream()).lines())
                    .noneMatch(line -> line.contains("the bridge 'files' ended"));
            for (String each : List.of("own", "pid")) {
                assertThat(ProcessHandle.of(result.path(each).asLong()).filter(ProcessHandle::isAlive))
                        .isEmpty();
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static void whoProposedACallMayCallItOff(TestSocket alice) throws IOException {
        try (TestSocket helper = server.join("helper")) {
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"p1\",\"to\":[\"files\"],"
                    + "\"kind\":\"mcp.proposal.tools/call:never\",\"payload\":{\"method\":\"tools/call\","
                    + "\"params\":{\"name\":\"never\",\"arguments\":{}}}}");
            helper.envelope("mcp.proposal.tools/call:never");
            alice.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"f1\",\"to\":[\"files\"],\"correlationId\":\"p1\","
                    + "\"kind\":\"mcp.request.tools/call:never\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":\"f1\","
                    + "\"method\":\"tools/call\",\"params\":{\"name\":\"never\",\"arguments\":{}}}}");
            helper.envelope("mcp.request.notifications/message");
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"c1\",\"to\":[\"files\"],"
                    + "\"kind\":\"mcp.request.notifications/cancelled\",\"payload\":{\"jsonrpc\":\"2.0\","
                    + "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"f1\"}}}");
            assertThat(alice.envelope("mcp.response.tools/call:never").toString())
                    .contains("-32800", "Cancelled by 'helper'.");
        }
    }

    @Test
    void aTokenOfSomebodyElseIsSaidSoBeforeAnythingIsStarted() throws Exception {
        Process process = bridge("bob", List.of("no-such-program"));
        assertThat(lines(process.getErrorStream()).readLine())
                .isEqualTo(
                        "gavel: the token belongs to 'bob', but the bridge is named 'files'; use the token of 'files',"
                                + " which an admin creates with: gavel token create files --topic ops --capability"
                                + " 'mcp.response.*' --capability 'mcp.request.notifications/*'");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    @Test
    void aProgramThatIsNotThereIsSaidSo() throws Exception {
        Process process = bridge("files", List.of("no-such-program"));
        assertThat(lines(process.getErrorStream()).readLine())
                .contains("cannot start 'no-such-program': the program was not found");
        assertThat(process.waitFor()).isEqualTo(1);
    }
}
