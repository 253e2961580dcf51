package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests topics over plain HTTP: posting and event streams. */
class PlainHttpTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String CHAT =
            "{\"protocol\":\"mcpx/v0.1\",\"id\":\"m-1\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"hello\"}}";

    private final HttpClient client = HttpClient.newHttpClient();
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        server = new TestServer("limits: {ask: off, bytes: off, frame: 2KiB}\n" + TestServer.CONFIG, 2);
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        server.close();
    }

    private HttpRequest.Builder request(String identity, String topic) {
        return HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/topics/" + topic + "/messages"))
                .header("Authorization", "Bearer " + identity + TestServer.SECRET);
    }

    private HttpResponse<String> post(String identity, String topic, String body)
            throws IOException, InterruptedException {
        return client.send(
                request(identity, topic)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** An open event stream, read event by event. */
    private final class Stream implements AutoCloseable {
        private final BufferedReader lines;

        Stream(String identity, String query) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://" + server.listen() + "/topics/ops/messages" + query))
                    .header("Authorization", "Bearer " + identity + TestServer.SECRET)
                    .header("Accept", "text/event-stream")
                    .build();
            HttpResponse<java.io.InputStream> response =
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        JsonNode next() throws IOException {
            StringBuilder data = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ")) {
                    data.append(line.substring(6)).append('\n');
                } else if (line.isEmpty() && !data.isEmpty()) {
                    return JSON.readTree(data.toString());
                }
            }
            throw new IOException("the stream ended");
        }

        JsonNode next(String kind) throws IOException {
            JsonNode envelope = next();
            while (!envelope.path("kind").asString().equals(kind)) {
                envelope = next();
            }
            return envelope;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    @Test
    void aPostedEnvelopeReachesThoseConnected() throws Exception {
        try (TestSocket alice = server.join("alice")) {
            HttpResponse<String> response = post("helper", "ops", CHAT);
            assertThat(response.statusCode()).isEqualTo(202);
            assertThat(alice.envelope("chat.message").path("from").asString()).isEqualTo("helper");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            helper  | ops     | nonsense                                                                             | 400 | malformed
            helper  | ops     |                                                                                      | 400 | malformed
            helper  | ops     | {"protocol":"mcpx/v9","id":"x","kind":"chat.message","payload":{"text":"a"}}         | 400 | unsupported_protocol
            helper  | ops     | {"protocol":"mcpx/v0.1","id":"x","from":"bob","kind":"chat.message","payload":{"text":"a"}} | 403 | identity_mismatch
            helper  | ops     | {"protocol":"mcpx/v0.1","id":"x","kind":"system.welcome","payload":{}}               | 403 | reserved_namespace
            helper  | ops     | {"protocol":"mcpx/v0.1","id":"x","kind":"mcp.request.ping","payload":{"method":"ping"}} | 403 | capability_violation
            helper  | ops     | {"protocol":"mcpx/v0.1","id":"x","to":["ghost"],"kind":"chat.message","payload":{"text":"a"}} | 404 | unknown_recipient
            mallory | ops     | {}                                                                                   | 403 | not_a_member
            nobody  | ops     | {}                                                                                   | 401 | unauthenticated
            alice   | nowhere | {}                                                                                   | 404 | no_such_topic
            """)
    void aRefusedPostIsAProblemWithTheErrorsCode(String who, String topic, String body, int status, String code)
            throws Exception {
        HttpResponse<String> response = post(who, topic, body == null ? "" : body);
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.path("code").asString()).isEqualTo(code);
        assertThat(problem.path("detail").asString()).isNotBlank();
    }

    @Test
    void aPostThatReachesSomeSaysWhomItDidNot() throws Exception {
        HttpResponse<String> response =
                post("helper", "ops", CHAT.replace("\"kind\"", "\"to\":[\"alice\",\"ghost\"],\"kind\""));
        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(JSON.readTree(response.body())
                        .path("errors")
                        .path(0)
                        .path("code")
                        .asString())
                .isEqualTo("unknown_recipient");
    }

    @Test
    void anEnvelopeOverTheLimitIsTooLarge() throws Exception {
        HttpResponse<String> response = post("helper", "ops", CHAT.replace("hello", "x".repeat(5000)));
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(JSON.readTree(response.body()).path("code").asString()).isEqualTo("too_large");
    }

    @Test
    void whoPostsTooFastIsToldWhenToTryAgain() throws Exception {
        try (TestServer slow = new TestServer("limits: {ask: off, bytes: off, rate: 1/s}\n" + TestServer.CONFIG, 1)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + slow.listen() + "/topics/ops/messages"))
                    .header("Authorization", "Bearer helper" + TestServer.SECRET)
                    .POST(HttpRequest.BodyPublishers.ofString(CHAT))
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            while (response.statusCode() == 202) {
                response = client.send(request, HttpResponse.BodyHandlers.ofString());
            }
            assertThat(response.statusCode()).isEqualTo(429);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(JSON.readTree(response.body()).path("retryAfterMs").asLong())
                    .isPositive();
        }
    }

    @Test
    void whoReadsProposalsTooFastIsToldWhenToTryAgain() throws Exception {
        try (TestServer slow = new TestServer("limits: {ask: off, bytes: off, rate: 1/s}\n" + TestServer.CONFIG, 1)) {
            for (String path : new String[] {"proposals", "proposals/p-1"}) {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create("http://" + slow.listen() + "/topics/ops/" + path))
                        .header("Authorization", "Bearer helper" + TestServer.SECRET)
                        .build();
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                for (int i = 0; i < 100 && response.statusCode() != 429; i++) {
                    response = client.send(request, HttpResponse.BodyHandlers.ofString());
                }
                assertThat(response.statusCode()).as(path).isEqualTo(429);
            }
        }
    }

    @Test
    void aStreamIsSentWhatASocketWouldBe() throws Exception {
        try (Stream alice = new Stream("alice", "");
                TestSocket helper = server.join("helper")) {
            JsonNode welcome = alice.next();
            assertThat(welcome.path("kind").asString()).isEqualTo("system.welcome");
            assertThat(welcome.path("payload").path("you").path("id").asString())
                    .isEqualTo("alice");
            alice.next("system.presence");
            helper.send(CHAT.replace("\"kind\"", "\n\"kind\""));
            assertThat(alice.next("chat.message").path("id").asString()).isEqualTo("m-1");
        }
    }

    @Test
    void aSocketAndAStreamLiveSideBySideAsOneParticipant() throws Exception {
        try (TestSocket bob = server.join("bob")) {
            try (TestSocket socket = server.join("alice")) {
                try (Stream stream = new Stream("alice", "")) {
                    stream.next("system.welcome");
                    post("bob", "ops", CHAT);
                    assertThat(stream.next("chat.message").path("from").asString())
                            .isEqualTo("bob");
                    assertThat(socket.envelope("chat.message").path("from").asString())
                            .isEqualTo("bob");
                }
            }
            assertThat(bob.envelope("system.presence")
                            .path("payload")
                            .path("event")
                            .asString())
                    .isEqualTo("join");
            assertThat(bob.envelope("system.presence")
                            .path("payload")
                            .path("event")
                            .asString())
                    .isEqualTo("leave");
        }
    }

    @Test
    void whatTypeABodySaysItIsDoesNotMatter() throws Exception {
        // Longer than a form field may be.
        String text = CHAT.replace("hello", "x".repeat(20_000));
        try (TestServer roomy = new TestServer(TestServer.CONFIG, 1)) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create("http://" + roomy.listen() + "/topics/ops/messages"))
                            .header("Authorization", "Bearer helper" + TestServer.SECRET)
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString(text))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(202);
        }
    }

    @Test
    void idsThatTheGatewayUsesAreReserved() throws Exception {
        HttpResponse<String> response = post("helper", "ops", CHAT.replace("m-1", "system:event-7"));
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(JSON.readTree(response.body()).path("code").asString()).isEqualTo("reserved_namespace");
    }

    @Test
    void aTopicWithoutALedgerCannotBePolled() throws Exception {
        HttpResponse<String> response =
                client.send(request("alice", "ops").build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(response.body()).path("code").asString()).isEqualTo("no_ledger");
    }
}
