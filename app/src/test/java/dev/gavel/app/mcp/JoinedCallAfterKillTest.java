package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.text;
import static dev.gavel.app.mcp.TestMcpClient.withProgress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestProcess;
import dev.gavel.app.interop.GavelProcessCommand;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.client.Answer;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a call that is repeated after the server was killed joins the call that it repeats. */
@Timeout(120)
class JoinedCallAfterKillTest {
    private static final String CALL = withProgress("wipe", "{\"path\":\"x\"}", "\"token\"");

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @TempDir
    private Path directory;

    private int port;

    @BeforeEach
    void choosePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
    }

    private TestProcess server() throws Exception {
        return new TestProcess(directory, """
                listen: 127.0.0.1:%d
                data: "%s"
                identities:
                  alice: {token: alice-0123456789abcdef}
                  helper: {token: helper-0123456789abcdef}
                  separate: {token: separate-0123456789abcdef, duplicates: separate}
                  files: {token: files-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      helper: ["mcp.proposal.*"]
                      separate: ["mcp.proposal.*"]
                      files: ["mcp.response.*", "mcp.request.notifications/*"]
                """.formatted(port, directory.resolve("data")));
    }

    /** Connects the tool server, which connects again by itself after the server was killed. */
    private Participant connectFiles() throws Exception {
        Participant files = Gavel.at("http://127.0.0.1:" + port)
                .token(Token.of("files-0123456789abcdef"))
                .topic("ops")
                .connect();
        files.serve(new Tools()
                .tool("wipe", _ -> {
                    runs.incrementAndGet();
                    return Answer.text("wiped");
                })
                .tool("stuck", _ -> {
                    runs.incrementAndGet();
                    started.countDown();
                    mayEnd.await();
                    return Answer.text("late");
                }));
        return files;
    }

    private TestMcpClient client(String identity) throws Exception {
        TestMcpClient client =
                new TestMcpClient(URI.create("http://127.0.0.1:" + port + "/mcp/ops"), identity, "2025-11-25");
        client.initialize();
        return client;
    }

    private List<Json> pending() throws Exception {
        return client("alice")
                .call("gavel_pending", "{}")
                .at("structuredContent")
                .at("proposals")
                .elements();
    }

    private void approve() throws Exception {
        String id = pending().getFirst().at("id").text();
        await().untilAsserted(() -> assertThat(client("alice")
                        .call("gavel_approve", "{\"proposal\":\"" + id + "\",\"confirm\":true}")
                        .raw())
                .doesNotContain("\"isError\":true"));
    }

    @Test
    void aCallThatWaitedWhenTheServerWasKilledIsTheSameCall() throws Exception {
        TestProcess first = server();
        try (Participant _ = connectFiles()) {
            await().until(() -> client("helper").tools().contains("wipe"));
            client("helper").begin("tools/call", CALL).next();
            await().until(() -> pending().size() == 1);
            first.kill();
            try (TestProcess _ = server()) {
                await().until(() -> client("helper").tools().contains("wipe"));
                PendingResponse again = client("helper").begin("tools/call", CALL);
                again.next();
                assertThat(pending()).hasSize(1);
                approve();
                Json result = again.answer().at("result");
                assertThat(text(result)).isEqualTo("wiped");
                assertThat(result.at("_meta").at("dev.gavel/joined").isTrue()).isTrue();
                assertThat(runs).hasValue(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"helper", "separate"})
    void aClientThatResumesItsStreamAtTheNextServerGetsTheResult(String identity) throws Exception {
        TestProcess first = server();
        try (Participant _ = connectFiles()) {
            await().until(() -> client("helper").tools().contains("wipe"));
            TestMcpClient helper = client(identity);
            PendingResponse call = helper.begin("tools/call", CALL);
            call.next();
            await().until(() -> pending().size() == 1);
            first.kill();
            try (TestProcess _ = server()) {
                await().until(() -> client("helper").tools().contains("wipe"));
                PendingResponse resumed = helper.listen(call.lastEvent);
                approve();
                Json answer = resumed.answer();
                assertThat(answer.at("id").raw()).isEqualTo(call.id);
                assertThat(text(answer.at("result"))).isEqualTo("wiped");
                assertThat(runs).hasValue(1);

                assertThat(helper.listen(call.lastEvent)
                                .answer()
                                .at("error")
                                .at("message")
                                .text())
                        .as("the result is delivered once")
                        .contains("was delivered before");
                TestMcpClient other = client("alice");
                assertThat(other.listen(call.lastEvent).answer().at("error").isPresent())
                        .as("the event id gives no access to the proposals of others")
                        .isTrue();
            }
        }
    }

    @Test
    void gavelMcpResumesACallByItself() throws Exception {
        TestProcess first = server();
        ProcessBuilder builder = new ProcessBuilder(GavelProcessCommand.command("mcp", "--topic", "ops"))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("GAVEL_URL", "http://127.0.0.1:" + port);
        builder.environment().put("GAVEL_TOKEN", "helper-0123456789abcdef");
        Process relay = builder.start();
        try (Participant _ = connectFiles();
                BufferedReader output = relay.inputReader();
                BufferedWriter input = relay.outputWriter()) {
            await().until(() -> client("helper").tools().contains("wipe"));
            send(
                    input,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                            + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}");
            assertThat(output.readLine()).contains("\"serverInfo\"");
            send(input, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            send(input, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":" + CALL + "}");
            assertThat(output.readLine()).contains("notifications/progress");
            first.kill();
            try (TestProcess _ = server()) {
                await().until(() -> client("helper").tools().contains("wipe"));
                approve();
                String line = output.readLine();
                while (!line.contains("\"id\":2")) {
                    line = output.readLine();
                }
                assertThat(line).contains("wiped");
                assertThat(runs).hasValue(1);
            }
        } finally {
            relay.destroyForcibly();
        }
    }

    private static void send(BufferedWriter input, String line) throws IOException {
        input.write(line);
        input.newLine();
        input.flush();
    }

    @Test
    void aHeldApprovalSurvivesAKill() throws Exception {
        TestProcess first = server();
        try (Participant _ = connectFiles()) {
            await().until(() -> client("helper").tools().contains("wipe"));
            client("helper").begin("tools/call", CALL).next();
            await().until(() -> pending().size() == 1);
            first.kill();
            TestProcess second = server();
            await().until(() -> client("helper").tools().contains("wipe"));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> pending().getFirst().raw().contains("the caller lost its connection"));
            approve();
            assertThat(client("helper").call("gavel_status", "{}").raw()).contains("runs when the caller calls again");
            assertThat(pending()).as("nothing is left to decide").isEmpty();
            second.kill();
            try (TestProcess _ = server()) {
                await().until(() -> client("helper").tools().contains("wipe"));
                assertThat(runs).hasValue(0);
                assertThat(text(client("helper")
                                .begin("tools/call", CALL)
                                .answer()
                                .at("result")))
                        .isEqualTo("wiped");
                assertThat(runs).hasValue(1);
            }
        }
    }

    @Test
    void aCallThatRanWhenTheServerWasKilledDoesNotRunAgain() throws Exception {
        TestProcess first = server();
        try (Participant _ = connectFiles()) {
            await().until(() -> client("helper").tools().contains("stuck"));
            String call = withProgress("stuck", "{}", "1");
            client("helper").begin("tools/call", call).next();
            await().until(() -> pending().size() == 1);
            approve();
            started.await();
            first.kill();
            try (TestProcess _ = server()) {
                await().until(() -> client("helper").tools().contains("stuck"));
                PendingResponse again = client("helper").begin("tools/call", call);
                mayEnd.countDown();
                assertThat(text(again.answer().at("result"))).matches("late|.*it is not known whether the call ran.*");
                assertThat(pending()).isEmpty();
                assertThat(runs).hasValue(1);
            }
        }
    }
}
