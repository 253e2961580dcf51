package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** §1 of the protocol: connecting, and every way of not being let in. */
class ConnectingTest {
    private static TestServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new TestServer(TestServer.CONFIG, 2);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            the door opens        | alice   | topic=ops                       | 101 |
            with every parameter  | alice   | topic=ops&mode=all&since=0      | 101 |
            the old spelling      | alice   | topic=ops&spelling=v0.1         | 101 |
            no topic              | alice   | mode=all                        | 400 | bad_topic
            a capital letter      | alice   | topic=Ops                       | 400 | bad_topic
            a double dot          | alice   | topic=a..b                      | 400 | bad_topic
            a trailing dot        | alice   | topic=ops.                      | 400 | bad_topic
            an unknown mode       | alice   | topic=ops&mode=some             | 400 | bad_mode
            a since of words      | alice   | topic=ops&since=yesterday       | 400 | bad_since
            an unknown spelling   | alice   | topic=ops&spelling=v7           | 400 | bad_spelling
            an unknown token      | nobody  | topic=ops                       | 401 | unauthenticated
            no member             | mallory | topic=ops                       | 403 | not_a_member
            no such topic         | alice   | topic=nowhere                   | 404 | no_such_topic
            nobody learns topics  | nobody  | topic=nowhere                   | 401 | unauthenticated
            """)
    void theHandshakeIsAnsweredByTheTable(String why, String identity, String query, int status, String code)
            throws IOException {
        try (TestSocket socket = server.open(identity, query)) {
            assertThat(socket.status()).as(why).isEqualTo(status);
            if (code != null) {
                assertThat(socket.problem().path("code").asString()).isEqualTo(code);
            }
        }
    }

    @Test
    void withoutATokenNobodyIsLetIn() throws IOException {
        try (TestSocket socket = new TestSocket(server.socket(), "/ws?topic=ops")) {
            assertThat(socket.status()).isEqualTo(401);
            assertThat(socket.problem().path("detail").asString()).contains("Authorization: Bearer");
        }
    }

    @Test
    void aTokenInTheQueryIsNoToken() throws IOException {
        try (TestSocket socket = new TestSocket(server.socket(), "/ws?topic=ops&token=alice" + TestServer.SECRET)) {
            assertThat(socket.status()).isEqualTo(401);
        }
    }

    @Test
    void aPageOfAnotherSiteIsNotLetIn() throws IOException {
        String token = "Authorization: Bearer alice" + TestServer.SECRET;
        try (TestSocket foreign =
                new TestSocket(server.socket(), "/ws?topic=ops", token, "Origin: https://evil.example")) {
            assertThat(foreign.status()).isEqualTo(403);
        }
        String own = "Origin: http://127.0.0.1:" + server.listen().port();
        try (TestSocket ours = new TestSocket(server.socket(), "/ws?topic=ops", token, own)) {
            assertThat(ours.status()).isEqualTo(101);
        }
    }

    @Test
    void aPlainRequestIsToldToUpgrade() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/ws?topic=ops"))
                            .header("Authorization", "Bearer alice" + TestServer.SECRET)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(426);
            assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        }
    }

    @Test
    void aSecondConnectionReplacesTheFirst() throws IOException {
        try (TestSocket bob = server.join("bob");
                TestSocket first = server.join("helper");
                TestSocket second = server.join("helper")) {
            assertThat(first.closeCode()).isEqualTo(4001);
            second.send(
                    "{\"protocol\":\"mcpx/v0.1\",\"id\":\"end\",\"kind\":\"chat.message\",\"payload\":{\"text\":\"a\"}}");
            assertThat(bob.until("end").stream()
                            .map(envelope -> envelope.path("payload"))
                            .filter(payload -> payload.path("participant")
                                    .path("id")
                                    .asString("")
                                    .equals("helper"))
                            .map(payload -> payload.path("event").asString()))
                    .as("helper joined once and never left")
                    .containsExactly("join");
        }
    }

    @Test
    void noMoreThanTheConfiguredConnectionsAreOpen() throws IOException {
        try (TestServer small = new TestServer("limits: {connections: 1}\n" + TestServer.CONFIG, 1);
                TestSocket alice = small.join("alice")) {
            try (TestSocket bob = small.open("bob", "topic=ops")) {
                assertThat(alice.status()).isEqualTo(101);
                assertThat(bob.status()).isEqualTo(503);
                assertThat(bob.problem().path("code").asString()).isEqualTo("unavailable");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/health/live, live", "/health/ready, ready"})
    void healthIsTold(String path, String word) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create("http://" + server.listen() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("{\"status\":\"" + word + "\"}");
        }
    }

    @Test
    void anUnknownPathIsAProblem() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/nowhere"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(response.body()).contains("\"code\":\"not_found\"");
        }
    }
}
