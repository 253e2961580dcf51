package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.bridge.ScriptedMcpServer;
import dev.gavel.ledger.postgres.TestPostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code gavel serve} in a separate process, with its ledger in PostgreSQL and a bridge under a lease. */
class ServeOnPostgresTest {
    @Test
    void toldToStopItEndsWell(@TempDir Path directory) throws Exception {
        String config = "ledger: \"" + TestPostgresServer.shared().freshSchema() + "\"\n"
                + TestServer.CONFIG.replace("ledger: off", "ledger: on")
                + ScriptedMcpServer.yaml("scripted", Map.of());
        try (TestProcess server = new TestProcess(directory, config)) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> metrics(server).contains("gavel_bridge_up{topic=\"ops\",bridge=\"scripted\"} 1"));
            assertThat(server.stop()).as(server.standardError()).isZero();
            assertThat(server.standardError()).doesNotContain("Exception");
        }
    }

    private static String metrics(TestProcess server) throws IOException {
        try (InputStream page = URI.create("http://127.0.0.1:" + server.port() + "/metrics")
                .toURL()
                .openStream()) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
