package dev.gavel.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that a server's log contains no secret, at the most verbose level and after many failures. */
class LogSecretsTest {
    private static final List<String> SECRETS = List.of(
            TestServer.SECRET.substring(1),
            "guessed-token-fedcba9876543210",
            "collector-secret-fedcba98",
            "wrong-scheme-fedcba9876",
            "in-the-query-fedcba9876",
            "proposed-argument-fedcba98",
            "mistyped-argument-fedcba98");

    @TempDir
    private Path directory;

    /** Nothing listens on port 1 of this machine. */
    @Test
    void theLogIsJsonAndHoldsNoSecret() throws Exception {
        String config = TestServer.CONFIG.replace("    ledger: off\n", "") + "data: data\ntraces: http://127.0.0.1:1\n";
        Map<String, String> environment = Map.of(
                "GAVEL_LOG", "json",
                "GAVEL_LOG_LEVEL", "debug",
                "OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20collector-secret-fedcba98");
        try (TestProcess process = new TestProcess(directory, config, environment)) {
            for (String head : List.of(
                    "GET /topics/ops HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer guessed-token-fedcba9876543210\r\n\r\n",
                    "GET /topics/ops HTTP/1.1\r\nHost: a\r\nAuthorization: Basic wrong-scheme-fedcba9876\r\n\r\n",
                    "GET /topics/ops?token=in-the-query-fedcba9876 HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /topics/%zz?token=in-the-query-fedcba9876 HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /ws?topic=ops&token=in-the-query-fedcba9876 HTTP/1.1\r\nHost: a\r\n\r\n",
                    "POST /topics/ops/messages HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\nAuthorization: Bearer alice"
                            + TestServer.SECRET + "\r\n\r\n",
                    "GET /topics/ops HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer guessed-token-fedcba9876543210\u0001\r\n\r\n",
                    "GET /topics/ops HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                            + "guessed-token-fedcba9876543210".repeat(1000) + "\r\n\r\n",
                    "guessed-token-fedcba9876543210\r\n\r\n")) {
                sendAndAwaitResponse(process, head);
            }
            try (TestSocket helper = process.join("helper")) {
                helper.send("{\"token\":\"guessed-token-fedcba9876543210\"");
                helper.send(
                        "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1\",\"kind\":\"mcp.proposal.tools/call:a\",\"payload\":"
                                + "{\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":"
                                + "{\"password\":\"proposed-argument-fedcba98\"}}}}");
                helper.until("p-1");
                tryToApprove(process);
                helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"w-1\",\"correlationId\":\"p-1\","
                        + "\"kind\":\"mcpx.withdraw.proposal\",\"payload\":{}}");
                helper.until("w-1");
                // The last log entry says that no collector accepts the spans.
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> process.standardError().contains("does not accept spans"));
            }
            String log = process.standardError();

            assertThat(log.lines().map(line -> new JsonMapper().readTree(line)).map(LogSecretsTest::level))
                    .contains("WARN", "DEBUG");
            assertThat(SECRETS).noneMatch(log::contains);
        }
    }

    /** Sends approvals that the gateway refuses: with a used id, for an unknown definition, and with a wrong argument. */
    private static void tryToApprove(TestProcess process) throws IOException {
        try (TestSocket files = process.join("files");
                TestSocket alice = process.join("alice")) {
            files.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"n-1\",\"kind\":"
                    + "\"mcp.request.notifications/tools/list_changed\",\"payload\":{\"method\":"
                    + "\"notifications/tools/list_changed\"}}");
            String question =
                    files.envelope("mcp.request.tools/list").path("id").asString();
            files.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"l-1\",\"correlationId\":\"" + question
                    + "\",\"kind\":\"mcp.response.tools/list\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,"
                    + "\"result\":{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\","
                    + "\"properties\":{\"password\":{\"type\":\"string\",\"format\":\"date-time\","
                    + "\"pattern\":\"^[0-9]+$\"}}}}]}}}");
            assertThat(refusal(alice, "p-1", "")).contains("duplicate_id");
            String unknownDefinition = refusal(alice, "f-1", "");
            Matcher digest = Pattern.compile("sha256:[0-9a-f]{64}").matcher(unknownDefinition);
            assertThat(digest.find()).as(unknownDefinition).isTrue();
            assertThat(refusal(alice, "f-2", ",\"definition\":\"" + digest.group() + "\""))
                    .contains("invalid_arguments");
        }
    }

    /** Sends an approval with edited arguments, and returns the error. */
    private static String refusal(TestSocket alice, String id, String field) throws IOException {
        alice.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\"" + field
                + ",\"correlationId\":\"p-1\",\"to\":[\"files\"],\"kind\":\"mcp.request.tools/call:a\","
                + "\"payload\":{\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":"
                + "{\"password\":\"mistyped-argument-fedcba98\"}}}}");
        String error = alice.envelope("system.error").toString();
        assertThat(error).doesNotContain(SECRETS);
        return error;
    }

    private static String level(JsonNode line) {
        return line.path("level").asString();
    }

    /** Sends bytes and waits for a response or the end of the connection. */
    private static void sendAndAwaitResponse(TestProcess process, String requestText) throws IOException {
        try (Socket socket = process.socket()) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(requestText.getBytes(UTF_8));
            socket.getInputStream().read();
        } catch (SocketException e) {
            // A reset counts as a response.
        }
    }
}
