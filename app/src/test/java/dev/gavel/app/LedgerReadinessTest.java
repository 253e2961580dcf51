package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests that the readiness check reports a ledger that another process has locked, and reports when it is available
 * again.
 */
class LedgerReadinessTest {
    @TempDir
    private Path data;

    @Test
    void aHeldLedgerIsNotReadyAndIsReadyAgainByItself() throws Exception {
        String config = TestServer.CONFIG.replace("    ledger: off\n", "") + "data: \"" + data + "\"\n";
        try (TestServer server = new TestServer(config, 1);
                TestSocket alice = server.join("alice");
                TestSocket helper = server.join("helper");
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(ready(client, server)).isEqualTo(200);
            try (Connection holder = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("ledger.db"));
                    Statement statement = holder.createStatement()) {
                statement.execute("BEGIN EXCLUSIVE");
                helper.send(StressEnvelopes.proposal("p-1"));
                JsonNode refused = helper.envelope("system.error").path("payload");
                assertThat(refused.path("error").asString()).isEqualTo("unavailable");
                assertThat(refused.path("retryAfterMs").asLong()).isPositive();
                assertThat(ready(client, server)).isEqualTo(503);
                alice.send(StressEnvelopes.chat("c-1", 0));
                helper.envelope("chat.message");
                statement.execute("ROLLBACK");
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> ready(client, server) == 200);
            helper.send(StressEnvelopes.proposal("p-1"));
            assertThat(alice.envelope("mcp.proposal.tools/call:write_file")
                            .path("id")
                            .asString())
                    .isEqualTo("p-1");
        }
    }

    private static int ready(HttpClient client, TestServer server) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/health/ready"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
