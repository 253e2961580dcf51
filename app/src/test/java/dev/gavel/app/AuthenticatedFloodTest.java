package dev.gavel.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.web.http.ConnectionLimiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that an identity with a valid token does not take all connections or all memory of the server. */
class AuthenticatedFloodTest {
    /** The server uses half of them for connections, and a quarter of this half for one identity. */
    private static final int FILES = 80;

    /** Bodies take at most 1 MiB, and 256 KiB of one identity. */
    private static final int HEAP = 8 * 1024 * 1024;

    private static final int SHARE = 256 * 1024;

    @TempDir
    private Path data;

    private final List<Socket> sockets = new ArrayList<>();
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        String config = "data: " + data + "\n" + TestServer.CONFIG.replace("ledger: off", "ledger: on");
        server = new TestServer(config, new ConnectionLimiter(FILES, HEAP));
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    private Socket connect() throws IOException {
        Socket socket = server.socket();
        socket.setSoTimeout(10_000);
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String request, String identity, int contentLength) throws IOException {
        String head = request + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + identity + TestServer.SECRET
                + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: "
                + contentLength + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(US_ASCII));
    }

    /** Sends a part of a body and returns its connection. */
    private Socket sendUnfinished(String request, String identity, int bytes) throws IOException {
        Socket socket = connect();
        send(socket, request, identity, bytes + 1);
        socket.getOutputStream().write(new byte[bytes]);
        return socket;
    }

    private String request(String request, String identity) throws IOException {
        Socket socket = connect();
        send(socket, request, identity, 0);
        return readHead(socket);
    }

    private static String readHead(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as(head.toString()).isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }

    private static void readUntil(Socket socket, String text) throws IOException {
        StringBuilder received = new StringBuilder();
        while (received.indexOf(text) < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as(received.toString()).isNotNegative();
            received.append((char) next);
        }
    }

    private static boolean isClosedByServer(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException e) {
            return true;
        }
    }

    private boolean isCounted(String metric) throws IOException {
        return server.metrics().lines().anyMatch(line -> line.startsWith(metric) && !line.endsWith(" 0"));
    }

    @Test
    void anAdminRevokesAnIdentityThatOpensConnectionsWithoutEnd() throws Exception {
        try (TestSocket alice = server.join("alice");
                TestSocket bob = server.join("bob")) {
            List<Socket> ofHelper = new ArrayList<>();
            for (int i = 0; i < 2 * FILES; i++) {
                Socket socket = connect();
                send(socket, "GET /topics", "helper", 0);
                assertThat(readHead(socket)).startsWith("HTTP/1.1 200");
                ofHelper.add(socket);
            }
            assertThat(isClosedByServer(ofHelper.getFirst())).isTrue();
            assertThat(server.metrics()).contains("gavel_limited_connections_total{limit=\"identity\"} 150\n");
            assertThat(request("GET /topics", "bob")).startsWith("HTTP/1.1 200");
            assertThat(request("DELETE /tokens/helper", "alice")).startsWith("HTTP/1.1 200");
            assertThat(request("GET /topics", "helper")).startsWith("HTTP/1.1 401");
            // The revoked connections now give way to clients that have not authenticated yet.
            for (int i = 0; i < FILES / 4; i++) {
                connect();
            }
            assertThat(isClosedByServer(ofHelper.getLast())).isTrue();
            bob.send(StressEnvelopes.chat("c-1", 10));
            alice.envelope("chat.message");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /topics/ops/messages", "POST /mcp/ops", "POST /seps", "POST /tokens"})
    void anIdentityWithTooManyBytesInUnansweredRequestsIsRefused(String request) throws Exception {
        String identity = request.equals("POST /tokens") ? "alice" : "bob";
        String other = request.equals("POST /tokens") ? "bob" : "alice";
        List<Socket> first = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            first.add(sendUnfinished("POST /topics/ops/messages", identity, SHARE / 5 - 100));
        }
        Socket refused = sendUnfinished(request, identity, 10_000);
        String head = readHead(refused);
        assertThat(head).startsWith("HTTP/1.1 429").containsIgnoringCase("connection: close");
        assertThat(isCounted("gavel_limited_connections_total{limit=\"bodies\"}"))
                .isTrue();
        assertThat(isClosedByServer(refused)).isTrue();
        // Other identities are not affected.
        Socket unaffected = sendUnfinished("POST /topics/ops/messages", other, 10_000);
        unaffected.getOutputStream().write(1);
        assertThat(readHead(unaffected)).startsWith("HTTP/1.1 400");
        // The bytes are free again when the connections have ended.
        for (Socket socket : first) {
            socket.close();
        }
        Awaitility.await().untilAsserted(() -> {
            Socket again = sendUnfinished(request, identity, 10_000);
            again.getOutputStream().write(1);
            assertThat(readHead(again)).startsWith("HTTP/1.1 400");
        });
    }

    @Test
    void allIdentitiesTogetherHaveALimitAndRequestsWithoutABodyAreServed() throws Exception {
        for (String identity : List.of("bob", "helper", "files", "mallory")) {
            for (int i = 0; i < 5; i++) {
                sendUnfinished("POST /seps", identity, SHARE / 5 - 10);
            }
        }
        // The bodies above may still be on their way.
        Awaitility.await()
                .untilAsserted(() -> assertThat(readHead(sendUnfinished("POST /seps", "alice", 5_000)))
                        .startsWith("HTTP/1.1 503"));
        assertThat(request("DELETE /tokens/helper", "alice")).startsWith("HTTP/1.1 200");
    }

    /** Requests lists of proposals of 2 MiB each, and does not read them. */
    private Socket requestLists(String identity, int count) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(16 * 1024);
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.listen().port()));
        for (int i = 0; i < count; i++) {
            send(socket, "GET /topics/ops/proposals?limit=500", identity, 0);
        }
        return socket;
    }

    private String headOfList(String identity) throws IOException {
        try (Socket socket = requestLists(identity, 1)) {
            return readHead(socket);
        }
    }

    @Test
    void anIdentityThatDoesNotReadItsResponsesIsRefused() throws Exception {
        server.close();
        String config = "limits: {ask: off, bytes: off, rate: 1000000/s}\ndata: " + data + "\n"
                + TestServer.CONFIG.replace("ledger: off", "ledger: on");
        // Responses take at most 16 MiB, and 4 MiB of one identity.
        server = new TestServer(config, new ConnectionLimiter(FILES, 128 * 1024 * 1024));
        try (TestSocket helper = server.join("helper")) {
            for (int i = 0; i < 120; i++) {
                helper.send(StressEnvelopes.proposal("p-" + i, 20_000));
                helper.envelope("mcp.proposal.tools/call:write_file");
            }
        }
        List<Socket> unread = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            // The kernel holds the first of these responses.
            unread.add(requestLists("bob", 4));
        }
        Awaitility.await()
                .untilAsserted(() -> assertThat(headOfList("bob"))
                        .startsWith("HTTP/1.1 429")
                        .containsIgnoringCase("retry-after: 1"));
        assertThat(isCounted("gavel_limited_connections_total{limit=\"responses\"}"))
                .isTrue();
        // Other identities and small responses are not affected.
        assertThat(headOfList("alice")).startsWith("HTTP/1.1 200");
        assertThat(request("GET /topics", "bob")).startsWith("HTTP/1.1 200");
        for (Socket socket : unread) {
            socket.close();
        }
        Awaitility.await().untilAsserted(() -> assertThat(headOfList("bob")).startsWith("HTTP/1.1 200"));
    }

    @Test
    void requestsThatAClientSendsAtOnceAreAllAnsweredWhenItReads() throws Exception {
        server.close();
        // Responses to clients without a token take at most 2 MiB.
        server = new TestServer(TestServer.CONFIG, new ConnectionLimiter(FILES, 64 * 1024 * 1024));
        Socket socket = connect();
        int requests = 200;
        String request = "GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        socket.getOutputStream().write(request.repeat(requests).getBytes(US_ASCII));
        for (int i = 0; i < requests; i++) {
            String head = readHead(socket);
            assertThat(head).startsWith("HTTP/1.1 200");
            socket.getInputStream().skipNBytes(contentLength(head));
        }
    }

    /** Opens a WebSocket and sends the beginning of a text frame. */
    private Socket sendUnfinishedFrame(String identity, String topic, int bytes) throws IOException {
        Socket socket = connect();
        socket.getOutputStream()
                .write(("GET /ws?topic=" + topic + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + identity
                                + TestServer.SECRET
                                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
                        .getBytes(US_ASCII));
        assertThat(readHead(socket)).startsWith("HTTP/1.1 101");
        ByteBuffer frame = ByteBuffer.allocate(14 + bytes);
        frame.put((byte) 0x81).put((byte) 0xff).putLong(bytes + 1L).putInt(0);
        socket.getOutputStream().write(frame.array());
        return socket;
    }

    @Test
    void anIdentityWithTooManyUnfinishedFramesIsDisconnected() throws Exception {
        server.close();
        String topics = "";
        for (int i = 0; i < 6; i++) {
            topics += "  t" + i + ": {ledger: off, participants: {bob: [\"chat.*\"], alice: [\"*\"]}}\n";
        }
        server = new TestServer(TestServer.CONFIG + topics, new ConnectionLimiter(FILES, HEAP));
        List<Socket> opened = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            opened.add(sendUnfinishedFrame("bob", "t" + i, SHARE / 3));
        }
        // At least one of them is closed, with the code 4029 after the system messages.
        Awaitility.await().until(() -> isCounted("gavel_limited_connections_total{limit=\"messages\"}"));
        assertThat(new String(opened.getLast().getInputStream().readAllBytes(), ISO_8859_1))
                .contains("\u000f\u00bdunfinished messages");
        assertThat(request("GET /topics", "bob")).startsWith("HTTP/1.1 200");
        // Other identities are not affected, and a finished frame takes no memory.
        Socket other = sendUnfinishedFrame("alice", "t0", SHARE / 3);
        other.getOutputStream().write('x');
        readUntil(other, "system.error");
    }

    @Test
    void answeredRequestsNoLongerCount() throws Exception {
        Socket socket = connect();
        for (int i = 0; i < 10; i++) {
            send(socket, "POST /topics/ops/messages", "bob", SHARE / 2);
            socket.getOutputStream().write(new byte[SHARE / 2]);
            String head = readHead(socket);
            assertThat(head).startsWith("HTTP/1.1 400");
            socket.getInputStream().readNBytes(contentLength(head));
        }
    }

    private static int contentLength(String head) {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow();
    }
}
