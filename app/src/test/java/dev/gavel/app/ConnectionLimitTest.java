package dev.gavel.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that clients which do not authenticate, or which flood the server, do not take its connections. */
class ConnectionLimitTest {
    private static final int PING = 9;
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int ALLOWED_REFUSALS = 10_000;

    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket idle(TestServer server) throws IOException {
        return keep(server.socket());
    }

    private Socket keep(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        sockets.add(socket);
        return socket;
    }

    private static boolean isClosedByServer(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    private static String get(Socket socket, String path, String header) throws IOException {
        socket.getOutputStream().write(request(path, header).getBytes(US_ASCII));
        return readResponse(socket.getInputStream());
    }

    private static String request(String path, String header) {
        return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + header + "\r\n";
    }

    /** Reads a response and returns its head. */
    private static String readResponse(InputStream input) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = input.read();
            assertThat(next).as(head.toString()).isNotNegative();
            head.append((char) next);
        }
        int length = head.toString()
                .lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow();
        input.readNBytes(length);
        return head.toString();
    }

    private static String token(String identity) {
        return "Authorization: Bearer " + identity + TestServer.SECRET + "\r\n";
    }

    @Test
    void theOldestUnauthenticatedConnectionMakesRoomForANewOne() throws Exception {
        try (TestServer server = new TestServer("limits: {unauthenticated: 5}\n" + TestServer.CONFIG, 1)) {
            Socket authenticated = idle(server);
            assertThat(get(authenticated, "/topics", token("alice"))).startsWith("HTTP/1.1 200");
            TestSocket webSocket = server.join("bob");
            List<Socket> idle = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                idle.add(idle(server));
            }
            for (int i = 0; i < 3; i++) {
                assertThat(isClosedByServer(idle.get(i))).isTrue();
            }
            // Clients that authenticate at once are served, and keep their connections.
            assertThat(get(idle(server), "/topics", token("alice"))).startsWith("HTTP/1.1 200");
            for (int i = 0; i < 8; i++) {
                idle(server);
            }
            assertThat(isClosedByServer(idle.getLast())).isTrue();
            assertThat(get(authenticated, "/topics", token("alice"))).startsWith("HTTP/1.1 200");
            try (TestSocket alice = server.join("alice")) {
                webSocket.send(StressEnvelopes.chat("c-1", 10));
                alice.envelope("chat.message");
            }
            webSocket.close();
            assertThat(server.metrics())
                    .containsPattern("gavel_unauthenticated_connections [1-5]\n")
                    .containsPattern("gavel_limited_connections_total\\{limit=\"unauthenticated\"} [1-9]");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            401 | /topics       | nobody | 200/s
            401 | /ws?topic=ops | nobody | 200/s
            429 | /topics       | alice  | 1/s
            """)
    void aConnectionThatFloodsTheServerWithRefusedRequestsIsClosed(
            int status, String path, String identity, String rate) throws Exception {
        try (TestServer server =
                new TestServer("limits: {ask: off, bytes: off, rate: " + rate + "}\n" + TestServer.CONFIG, 1)) {
            Socket flooding = idle(server);
            InputStream input = new BufferedInputStream(flooding.getInputStream());
            String request = request(path, token(identity));
            String head = "";
            for (int block = 0; block < ALLOWED_REFUSALS / 100; block++) {
                flooding.getOutputStream().write(request.repeat(100).getBytes(US_ASCII));
                for (int i = 0; i < 100; i++) {
                    head = readResponse(input);
                }
                assertThat(head).doesNotContainIgnoringCase("connection: close");
            }
            assertThat(head).startsWith("HTTP/1.1 " + status);
            for (int i = 0;
                    i < ALLOWED_REFUSALS && !head.toLowerCase(Locale.ROOT).contains("connection: close");
                    i++) {
                flooding.getOutputStream().write(request.getBytes(US_ASCII));
                head = readResponse(input);
            }
            assertThat(head).startsWith("HTTP/1.1 " + status).containsIgnoringCase("connection: close");
            assertThat(isClosedByServer(flooding)).isTrue();
            assertThat(server.metrics()).contains("gavel_limited_connections_total{limit=\"flooding\"} 1");
        }
    }

    @Test
    void aWrongTokenIsNoAuthentication() throws Exception {
        try (TestServer server = new TestServer("limits: {unauthenticated: 1}\n" + TestServer.CONFIG, 1)) {
            Socket guessing = idle(server);
            assertThat(get(guessing, "/topics", token("nobody"))).startsWith("HTTP/1.1 401");
            idle(server);
            assertThat(isClosedByServer(guessing)).isTrue();
        }
    }

    @Test
    void connectionsDuringTheTlsHandshakeAreLimitedToo(@TempDir Path directory) throws Exception {
        TestCertificate certificate = new TestCertificate(directory);
        String config = certificate.config() + "limits: {unauthenticated: 2}\n" + TestServer.CONFIG;
        try (TestServer server = new TestServer(config, 1)) {
            Socket first = idle(server);
            idle(server);
            idle(server);
            assertThat(isClosedByServer(first)).isTrue();
            try (Socket socket = certificate.connect(server.listen().port())) {
                assertThat(get(socket, "/topics", token("alice"))).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void connectionsThatEndAreForgotten() throws Exception {
        try (TestServer server = new TestServer("limits: {unauthenticated: 3}\n" + TestServer.CONFIG, 1)) {
            for (int i = 0; i < 10; i++) {
                idle(server).close();
            }
            // The request for the metrics itself has not authenticated.
            Awaitility.await().until(() -> server.metrics().contains("gavel_unauthenticated_connections 1\n"));
        }
    }

    @Test
    void aSocketThatKeepsSendingTooFastIsClosed() throws Exception {
        String config = "limits: {rate: 1/s}\n" + TestServer.CONFIG;
        try (TestServer server = new TestServer(config, 1);
                TestSocket bob = server.open("bob", "topic=ops")) {
            flood(
                    bob,
                    TestSocket.frame(true, TEXT, StressEnvelopes.chat("c-1", 10).getBytes(US_ASCII)));
            assertThat(bob.closeCode()).isEqualTo(4029);
            assertThat(server.metrics())
                    .contains("gavel_dropped_connections_total{topic=\"ops\",reason=\"flooding\"} 1");
        }
    }

    @Test
    void aSocketThatKeepsSendingNonsenseIsClosed() throws Exception {
        String config = "limits: {rate: 1000000/s}\n" + TestServer.CONFIG;
        for (byte[] frame : List.of(
                TestSocket.frame(true, TEXT, "{".getBytes(US_ASCII)),
                TestSocket.frame(true, PING, new byte[0]),
                TestSocket.frame(true, 10, new byte[0]))) {
            try (TestServer server = new TestServer(config, 1);
                    TestSocket bob = server.join("bob")) {
                flood(bob, frame);
                assertThat(bob.closeCode()).isEqualTo(4029);
            }
        }
    }

    @Test
    void aSocketThatKeepsSendingEmptyFragmentsIsClosed() throws Exception {
        try (TestServer server = new TestServer(TestServer.CONFIG, 1);
                TestSocket bob = server.join("bob")) {
            bob.send(false, TEXT, new byte[0]);
            flood(bob, TestSocket.frame(false, CONTINUATION, new byte[0]));
            assertThat(bob.closeCode()).isEqualTo(4029);
        }
    }

    /** Sends a frame more often than a socket may, while another thread does not read the answers. */
    private static void flood(TestSocket socket, byte[] frame) throws IOException {
        ByteArrayOutputStream many = new ByteArrayOutputStream();
        for (int i = 0; i < 1000; i++) {
            many.writeBytes(frame);
        }
        try {
            for (int i = 0; i < 30; i++) {
                socket.sendRaw(many.toByteArray());
            }
        } catch (SocketException e) {
            // The server closed the connection before it read everything.
        }
    }
}
