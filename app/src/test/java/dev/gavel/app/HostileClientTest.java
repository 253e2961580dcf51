package dev.gavel.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests hostile clients against a server in a separate process with little memory. After each of them the process still
 * runs, serves others, and has logged no error.
 */
@Timeout(60)
class HostileClientTest {
    private static final int MIB = 1024 * 1024;

    @TempDir
    private static Path directory;

    private static TestProcess server;

    @BeforeAll
    static void start() throws IOException {
        server = new TestProcess(
                directory,
                TestServer.CONFIG.replace("    ledger: off\n", "")
                        + "limits: {ask: off, bytes: off, rate: 1000000/s}\ndata: \"" + directory.resolve("data")
                        + "\"\n");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void everybodyElseIsServedAsBefore() throws IOException {
        assertThat(server.isAlive()).isTrue();
        try (TestSocket alice = server.join("alice");
                TestSocket helper = server.join("helper")) {
            helper.send(StressEnvelopes.chat("c-1", 10));
            alice.envelope("chat.message");
            helper.send(StressEnvelopes.proposal("p-" + System.nanoTime()));
            alice.envelope("mcp.proposal.tools/call:write_file");
        }
        assertThat(server.standardError()).isEmpty();
    }

    private static String chat(String payload) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"x\",\"kind\":\"chat.message\",\"payload\":" + payload + "}";
    }

    /** Texts that are not envelopes, each just within the maximum frame length. */
    enum InvalidText {
        ONE_BRACE("{"),
        NOTHING(""),
        ZEROS("\0".repeat(1000)),
        A_NUMBER("1"),
        DEEP_ARRAYS("[".repeat(MIB - 100)),
        DEEP_OBJECTS("{\"a\":".repeat(MIB / 5 - 100)),
        DEEP_PAYLOAD(chat("{\"text\":" + "[".repeat(400_000) + "]".repeat(400_000) + "}")),
        LONG_NUMBER(chat("{\"text\":" + "9".repeat(MIB - 1000) + "}")),
        LONG_EXPONENT(chat("{\"text\":1e" + "9".repeat(MIB - 1000) + "}")),
        LONG_NAME(chat("{\"" + "n".repeat(MIB - 1000) + "\":1}")),
        MANY_TOKENS(chat("{\"text\":[" + "1,".repeat(500_000) + "1]}")),
        MANY_RECIPIENTS(
                chat("{}").replace("\"payload\"", "\"to\":[" + "\"a\",".repeat(200_000) + "\"a\"],\"payload\"")),
        HALF_A_PAIR(chat("{\"text\":\"\\ud800\"}")),
        A_NAME_TWICE(chat("{\"text\":\"a\",\"text\":\"b\"}")),
        UNFINISHED(chat("{\"text\":\"a\"}").replace("\"a\"}}", "\"a"));

        private final String text;

        InvalidText(String text) {
            this.text = text;
        }
    }

    @ParameterizedTest
    @EnumSource
    void nonsenseIsRefusedAndItsSenderMayGoOn(InvalidText invalidText) throws IOException {
        try (TestSocket bob = server.join("bob")) {
            for (int i = 0; i < 3; i++) {
                bob.send(invalidText.text);
                assertThat(bob.envelope("system.error")
                                .path("payload")
                                .path("error")
                                .asString())
                        .isEqualTo("malformed");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void postedNonsenseIsABadRequest(InvalidText invalidText) throws IOException {
        byte[] body = invalidText.text.getBytes(UTF_8);
        try (Socket socket = server.socket()) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /topics/ops/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer bob"
                            + TestServer.SECRET + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(ISO_8859_1));
            out.write(body);
            assertThat(statusOf(socket)).isEqualTo("HTTP/1.1 400");
        }
    }

    private static String statusOf(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        return new String(socket.getInputStream().readNBytes(12), ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"resources/read", "tools/list"})
    void aMemberThatOnlyAnswersOneMethodCanSendLargeAnswers(String method) throws IOException {
        String config = TestServer.CONFIG.replace("\"mcp.response.*\"", "\"mcp.response." + method + "\"");
        try (TestServer other = new TestServer(config, 1);
                TestSocket files = other.join("files")) {
            files.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"a-1\",\"kind\":\"mcp.response." + method
                    + "\",\"correlationId\":\"none\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\""
                    + "x".repeat(2_000_000) + "\"}}}");
            files.send("{}");
            assertThat(files.envelope("system.error")
                            .path("payload")
                            .path("error")
                            .asString())
                    .isEqualTo("malformed");
        }
    }

    @Test
    void aFrameThatClaimsToBeEndlessIsTooLarge() throws IOException {
        try (TestSocket bob = server.join("bob")) {
            bob.sendRaw(new byte[] {(byte) 0x81, (byte) 0xFF, 0x7F, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0});
            assertThat(bob.closeCode()).isEqualTo(1009);
        }
    }

    @Test
    void badUtf8AcrossFragmentsClosesWith1007() throws IOException {
        try (TestSocket bob = server.join("bob")) {
            bob.send(false, TestSocket.TEXT, new byte[] {'"', (byte) 0xE2});
            bob.send(true, TestSocket.CONTINUATION, new byte[] {(byte) 0x28, '"'});
            assertThat(bob.closeCode()).isEqualTo(1007);
        }
    }

    /** Empty fragments add nothing to a message, so no size limit stops them. */
    @Test
    void emptyFragmentsWithoutEndEndTheConnection() throws IOException {
        try (TestSocket bob = server.join("bob")) {
            bob.send(false, TestSocket.TEXT, new byte[0]);
            byte[] fragment = TestSocket.frame(false, TestSocket.CONTINUATION, new byte[0]);
            byte[] many = new byte[fragment.length * 10_000];
            for (int i = 0; i < 10_000; i++) {
                System.arraycopy(fragment, 0, many, i * fragment.length, fragment.length);
            }
            try {
                for (int i = 0; i < 20; i++) {
                    bob.sendRaw(many);
                }
            } catch (SocketException e) {
                // The server closed the connection before it read everything.
                return;
            }
            assertThat(bob.closeCode()).isEqualTo(4029);
        }
    }

    @Test
    void aMessageInAThousandPiecesIsOneEnvelope() throws IOException {
        try (TestSocket bob = server.join("bob");
                TestSocket alice = server.join("alice")) {
            byte[] text = StressEnvelopes.chat("pieces", 1000).getBytes(UTF_8);
            bob.send(false, TestSocket.TEXT, new byte[] {text[0]});
            for (int i = 1; i < text.length - 1; i++) {
                bob.send(false, TestSocket.CONTINUATION, new byte[] {text[i]});
            }
            bob.send(true, TestSocket.CONTINUATION, Arrays.copyOfRange(text, text.length - 1, text.length));
            assertThat(alice.envelope("chat.message").path("id").asString()).isEqualTo("pieces");
        }
    }

    @Test
    void randomBytesInsteadOfFramesEndTheConnection() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            try (TestSocket bob = server.join("bob")) {
                byte[] bytes = new byte[2000];
                random.nextBytes(bytes);
                bob.sendRaw(bytes);
            }
        }
    }

    /** Connections that send nothing more; {@code RequestTimeoutHandlerTest} tests that they are closed in the end. */
    @Test
    void halfOpenConnectionsAndSlowHeadersKeepNobodyOut() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket socket = server.socket();
                slow.add(socket);
                String head = "GET /ws?topic=ops HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ";
                socket.getOutputStream()
                        .write(head.substring(0, i * head.length() / 300).getBytes(ISO_8859_1));
            }
            everybodyElseIsServedAsBefore();
            for (Socket socket : slow) {
                socket.getOutputStream().write('x');
            }
            everybodyElseIsServedAsBefore();
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void aConnectionThatIsResetInTheMiddleOfAFrameIsOver() throws IOException {
        for (int i = 0; i < 50; i++) {
            Socket socket = server.socket();
            TestSocket bob = TestServer.open(socket, "bob", "topic=ops");
            byte[] frame = TestSocket.frame(
                    true, TestSocket.TEXT, StressEnvelopes.chat("x", 5000).getBytes(UTF_8));
            bob.sendRaw(Arrays.copyOf(frame, 1000));
            // Closes with a reset instead of a TCP shutdown.
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    /** Requests, byte for byte, that no browser sends. */
    enum Request {
        GARBAGE("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n"),
        HTTP_2("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        LONG_LINE("GET /" + "a".repeat(200_000) + " HTTP/1.1\r\n\r\n"),
        LONG_HEADER("GET / HTTP/1.1\r\nX: " + "a".repeat(200_000) + "\r\n\r\n"),
        MANY_HEADERS("GET / HTTP/1.1\r\n" + "X: a\r\n".repeat(50_000) + "\r\n"),
        BAD_CHUNK("POST /topics/ops/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer bob" + TestServer.SECRET
                + "\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\n"),
        TWO_LENGTHS("POST /topics/ops/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer bob" + TestServer.SECRET
                + "\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"),
        NEGATIVE_LENGTH("POST /topics/ops/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer bob" + TestServer.SECRET
                + "\r\nContent-Length: -1\r\n\r\n"),
        BAD_ESCAPES("GET /topics/%zz/proposals?cursor=%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n");

        private final String text;

        Request(String text) {
            this.text = text;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anImproperRequestIsAnsweredWithARefusalOrTheEnd(Request request) throws IOException {
        try (Socket socket = server.socket()) {
            Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(request.text.getBytes(ISO_8859_1));
                } catch (IOException e) {
                    // The server closed the connection while the client was sending, as it should.
                }
            });
            String status;
            try {
                status = statusOf(socket);
            } catch (SocketException e) {
                status = "";
            }
            assertThat(status).matches("|HTTP/\\d\\.\\d (4\\d\\d|501)");
        }
    }
}
