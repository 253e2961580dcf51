package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gavel.cli.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@code gavel health}. */
class HealthCommandTest extends CommandTestBase {
    private RunningCommand.Result runHealth(String url, String... words) throws Exception {
        return RunningCommand.start(directory, Map.of("GAVEL_URL", url), words).awaitEnd();
    }

    @Test
    void aServerThatIsReadySaysSoToAnybody() throws Exception {
        RunningCommand.Result answer = runHealth(url(), "health");
        assertThat(answer.out()).isEqualTo("ready\n");
        assertThat(answer.exit()).isEqualTo(ExitCode.SUCCESS);
        assertThat(runHealth(url(), "health", "--json").json().at("status").text())
                .isEqualTo("ready");
    }

    @Test
    void aReadyServerReportsMessagesThatItCouldNotForward() throws Exception {
        HttpServer server = answering(200, "{\"status\":\"ready\",\"undeliveredMessages\":2}");
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            RunningCommand.Result answer = runHealth(url, "health");
            assertThat(answer.out()).startsWith("ready\n2 messages of bridged MCP servers could not be forwarded");
            assertThat(answer.exit()).isEqualTo(ExitCode.SUCCESS);
            assertThat(runHealth(url, "health", "--json")
                            .json()
                            .at("undeliveredMessages")
                            .asLong(0))
                    .isEqualTo(2);
        } finally {
            server.stop(0);
        }
    }

    private static HttpServer answering(int status, String text) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/health/ready", exchange -> {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    @Test
    void oneThatIsNotSaysWhy() throws Exception {
        HttpServer server = answering(503, "{\"status\":\"draining\"}");
        try {
            RunningCommand.Result answer =
                    runHealth("http://127.0.0.1:" + server.getAddress().getPort(), "health");
            assertThat(answer.out()).isEqualTo("draining\n");
            assertThat(answer.exit()).isEqualTo(ExitCode.FAILURE);
        } finally {
            server.stop(0);
        }
        assertThat(runHealth("http://127.0.0.1:" + server.getAddress().getPort(), "health")
                        .exit())
                .isEqualTo(ExitCode.UNREACHABLE);
    }
}
