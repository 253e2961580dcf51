package dev.gavel.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.web.identity.TokenHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests §1 of the protocol: connecting, and every way in which a connection is refused. */
class ConnectionAdmissionTest {
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
        try (TestServer small =
                        new TestServer("limits: {ask: off, bytes: off, connections: 1}\n" + TestServer.CONFIG, 1);
                TestSocket alice = small.join("alice")) {
            try (TestSocket bob = small.open("bob", "topic=ops")) {
                assertThat(alice.status()).isEqualTo(101);
                assertThat(bob.status()).isEqualTo(503);
                assertThat(bob.problem().path("code").asString()).isEqualTo("unavailable");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a query that is not encoded | GET /ws?topic=%ZZ HTTP/1.1\\r\\nHost: x                                    | 400
            no host                     | GET /health/live HTTP/1.1\\r\\nA: b                                       | 400
            two hosts                   | GET /health/live HTTP/1.1\\r\\nHost: x\\r\\nHost: y                            | 400
            the same host twice         | GET /health/live HTTP/1.1\\r\\nHost: x\\r\\nHost: x                            | 400
            two hosts of a WebSocket    | GET /ws?topic=ops HTTP/1.1\\r\\nHost: x\\r\\nHost: y                           | 400
            another host in the target  | GET http://y/health/live HTTP/1.1\\r\\nHost: x                              | 400
            a path that is not encoded  | GET /%ZZ HTTP/1.1\\r\\nHost: x                                             | 400
            a method it does not take   | POST /health/live HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 0           | 405
            not HTTP                    | HELLO                                                                    | 400
            """)
    void anImproperRequestIsAProblem(String why, String request, int status) throws IOException {
        try (Socket socket = server.socket()) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write((request.replace("\\r", "\r").replace("\\n", "\n") + "\r\n\r\n").getBytes(US_ASCII));
            byte[] answer = new byte[1000];
            int length = socket.getInputStream().read(answer);
            String text = new String(answer, 0, Math.max(0, length), US_ASCII);
            assertThat(text)
                    .as(why)
                    .startsWith("HTTP/1")
                    .contains(" " + status + " ")
                    .contains("application/problem+json");
        }
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 5", "Transfer-Encoding: chunked"})
    void anImproperHandshakeIsAProblem(String header) throws IOException {
        String token = "Authorization: Bearer alice" + TestServer.SECRET;
        try (TestSocket socket = new TestSocket(server.socket(), "/ws?topic=ops", token, header)) {
            assertThat(socket.status()).isEqualTo(400);
        }
    }

    @Test
    void aShortTokenIsNoneEvenWhereItsHashIsConfigured() throws IOException {
        String hash = TokenHash.of("k7Qx2").hex();
        String config = TestServer.CONFIG.replace("bob-0123456789abcdef", "\"sha256:" + hash + "\"");
        try (TestServer other = new TestServer(config, 1);
                TestSocket socket = new TestSocket(other.socket(), "/ws?topic=ops", "Authorization: Bearer k7Qx2")) {
            assertThat(socket.status()).isEqualTo(401);
        }
    }

    @Test
    void whoComesAndGoesTooFastIsToldToSlowDown() throws IOException {
        try (TestServer slow = new TestServer("limits: {ask: off, bytes: off, rate: 3/s}\n" + TestServer.CONFIG, 1)) {
            int status = 101;
            for (int i = 0; i < 10 && status == 101; i++) {
                try (TestSocket socket = slow.open("alice", "topic=ops")) {
                    status = socket.status();
                }
            }
            assertThat(status).isEqualTo(429);
        }
    }

    /** Replaced connections that do not answer their close must not use up the connection limit. */
    @Test
    void closingConnectionsLeaveRoomForOthers() throws IOException {
        try (TestServer small =
                        new TestServer("limits: {ask: off, bytes: off, connections: 2}\n" + TestServer.CONFIG, 1);
                TestSocket first = small.join("alice");
                TestSocket second = small.join("alice");
                TestSocket third = small.join("alice");
                TestSocket bob = small.open("bob", "topic=ops")) {
            assertThat(first.closeCode()).isEqualTo(4001);
            assertThat(second.closeCode()).isEqualTo(4001);
            assertThat(third.status()).isEqualTo(101);
            assertThat(bob.status()).isEqualTo(101);
        }
    }

    /** Such a connection ends before it could take part: it must leave no participant behind and use no place. */
    @Test
    void framesSentBeforeTheHandshakeIsAnsweredEndTheConnectionAndLeaveNothingBehind() throws IOException {
        try (TestServer small =
                new TestServer("limits: {ask: off, bytes: off, connections: 3}\n" + TestServer.CONFIG, 1)) {
            for (int i = 0; i < 10; i++) {
                try (Socket socket = small.socket()) {
                    socket.setSoTimeout(10_000);
                    ByteArrayOutputStream both = new ByteArrayOutputStream();
                    both.write(("GET /ws?topic=ops HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
                                    + "Upgrade: websocket\r\nAuthorization: Bearer alice" + TestServer.SECRET
                                    + "\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
                            .getBytes(US_ASCII));
                    both.write(TestSocket.frame(true, TestSocket.TEXT, new byte[] {'{', '}'}));
                    socket.getOutputStream().write(both.toByteArray());
                    socket.getInputStream().readAllBytes();
                }
            }
            try (TestSocket bob = small.open("bob", "topic=ops")) {
                assertThat(bob.status()).isEqualTo(101);
                assertThat(bob.envelope().path("payload").path("participants").size())
                        .isZero();
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
