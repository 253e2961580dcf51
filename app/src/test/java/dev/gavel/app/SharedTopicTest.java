package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.bus.nats.NatsServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests that two servers connected by NATS share a topic, and that each reports that it is not ready without NATS. */
class SharedTopicTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void twoServersAreOneTopicWhileNatsIsThereAndSayWhenItIsNot() throws Exception {
        try (NatsServer nats = new NatsServer();
                HttpClient client = HttpClient.newHttpClient()) {
            nats.kill();
            String config = TestServer.CONFIG + "bus: " + nats.uri() + "\n";
            try (TestServer one = new TestServer(config, 1);
                    TestServer other = new TestServer(config, 1)) {
                assertThat(ready(client, one)).isEqualTo("503 {\"status\":\"bus_away\"}");
                nats.restart();
                await().atMost(PATIENCE).until(() -> ready(client, one).startsWith("200"));
                await().atMost(PATIENCE).until(() -> ready(client, other).startsWith("200"));
                await().atMost(PATIENCE).until(() -> one.metrics().contains("gavel_bus_processes 2"));
                try (TestSocket alice = one.join("alice");
                        TestSocket helper = other.join("helper")) {
                    helper.send(StressEnvelopes.chat("c-1", 0));
                    assertThat(alice.envelope("chat.message").path("from").asString())
                            .isEqualTo("helper");
                    alice.send(StressEnvelopes.chat("c-2", 0));
                    assertThat(helper.envelope("chat.message").path("from").asString())
                            .isEqualTo("alice");
                    assertThat(one.metrics())
                            .contains("gavel_bus_available 1", "gavel_bus_sent_total 1", "gavel_bus_received_total 1");

                    // A newer connection that has ended again replaces nothing.
                    one.join("helper").close();
                    alice.send(StressEnvelopes.chat("c-6", 0));
                    assertThat(helper.envelope("chat.message").path("id").asString())
                            .isEqualTo("c-6");

                    try (TestSocket again = one.join("helper")) {
                        assertThat(helper.closeCode()).isEqualTo(4001);
                        again.send(StressEnvelopes.chat("c-5", 0));
                        assertThat(alice.envelope("chat.message").path("id").asString())
                                .isEqualTo("c-5");
                    }
                }
                try (TestSocket alice = one.join("alice");
                        TestSocket helper = other.join("helper")) {
                    nats.kill();
                    await().atMost(PATIENCE).until(() -> ready(client, one).contains("bus_away"));
                    alice.send(StressEnvelopes.chat("c-3", 0));
                    JsonNode refused = alice.envelope("system.error").path("payload");
                    assertThat(refused.path("error").asString()).isEqualTo("unavailable");
                    assertThat(refused.path("retryAfterMs").asLong()).isPositive();
                    assertThat(one.metrics()).contains("gavel_bus_available 0", "gavel_bus_refused_total 1");

                    nats.restart();
                    await().atMost(PATIENCE).until(() -> ready(client, one).startsWith("200"));
                    await().atMost(PATIENCE).until(() -> ready(client, other).startsWith("200"));
                    await().atMost(PATIENCE).until(() -> one.metrics().contains("gavel_bus_processes 2"));
                    alice.send(StressEnvelopes.chat("c-4", 0));
                    assertThat(helper.envelope("chat.message").path("id").asString())
                            .isEqualTo("c-4");
                }
            }
        }
    }

    private static String ready(HttpClient client, TestServer server) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/health/ready"))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
