package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the WebSocket edge with valid and invalid clients, with and without TLS, on one event loop and on two. */
@ParameterizedClass(name = "{0} loops, TLS {1}")
@CsvSource({"1, false", "2, false", "1, true", "2, true"})
class WebSocketTest {
    private static final int FRAME_LIMIT = 64 * 1024;

    @TempDir
    private static Path directory;

    private static TestCertificate certificate;

    @Parameter(0)
    private int loops;

    @Parameter(1)
    private boolean tls;

    private TestServer server;
    private final List<TestSocket> opened = new ArrayList<>();

    @BeforeAll
    static void certify() throws Exception {
        certificate = new TestCertificate(directory);
    }

    @BeforeEach
    void start() throws IOException {
        String limits = "limits: {ask: off, bytes: off, frame: 64KiB, answer: 64KiB, rate: 1000000/s}\n";
        server = new TestServer(limits + (tls ? certificate.config() : "") + TestServer.CONFIG, loops);
    }

    @AfterEach
    void stop() throws IOException {
        for (TestSocket socket : opened) {
            socket.close();
        }
        server.close();
    }

    private TestSocket join(String identity) throws Exception {
        Socket socket = tls ? certificate.connect(server.listen().port()) : server.socket();
        TestSocket joined = TestServer.open(socket, identity, "topic=ops");
        opened.add(joined);
        assertThat(joined.envelope().path("kind").asString()).isEqualTo("system.welcome");
        return joined;
    }

    private static String chat(String id, int length) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"chat.message\",\"payload\":{\"text\":\""
                + "x".repeat(length) + "\"}}";
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void framesOfEveryLengthFormArrive() throws Exception {
        TestSocket alice = join("alice");
        TestSocket bob = join("bob");
        for (int length : new int[] {0, 10, 200, 65_000}) {
            bob.send(chat("m-" + length, length));
            assertThat(alice.envelope("chat.message")
                            .path("payload")
                            .path("text")
                            .asString())
                    .hasSize(length);
        }
    }

    @Test
    void participantsOnDifferentLoopsHearEachOther() throws Exception {
        List<TestSocket> all = List.of(join("alice"), join("bob"), join("helper"));
        for (int i = 0; i < all.size(); i++) {
            all.get(i).send(chat("from-" + i, 5));
            for (TestSocket other : all) {
                if (other != all.get(i)) {
                    assertThat(other.envelope("chat.message").path("id").asString())
                            .isEqualTo("from-" + i);
                }
            }
        }
    }

    @Test
    void aFragmentedMessageIsOneEnvelope() throws Exception {
        TestSocket alice = join("alice");
        TestSocket bob = join("bob");
        byte[] text = utf8(chat("m-1", 1000));
        bob.send(false, TestSocket.TEXT, Arrays.copyOfRange(text, 0, 10));
        bob.send(true, TestSocket.PING, new byte[] {1});
        bob.send(false, TestSocket.CONTINUATION, Arrays.copyOfRange(text, 10, 500));
        bob.send(true, TestSocket.CONTINUATION, Arrays.copyOfRange(text, 500, text.length));
        assertThat(alice.envelope("chat.message").path("id").asString()).isEqualTo("m-1");
    }

    @Test
    void aPingIsAnsweredWithItsOwnWords() throws Exception {
        TestSocket alice = join("alice");
        alice.send(true, TestSocket.PING, utf8("there?"));
        TestSocket.Frame pong = alice.read();
        assertThat(pong.opcode()).isEqualTo(TestSocket.PONG);
        assertThat(pong.text()).isEqualTo("there?");
    }

    @Test
    void aCloseIsAnswered() throws Exception {
        TestSocket alice = join("alice");
        TestSocket bob = join("bob");
        bob.send(
                true,
                TestSocket.CLOSE,
                ByteBuffer.allocate(2).putShort((short) 1000).array());
        assertThat(bob.closeCode()).isEqualTo(1000);
        bob.expectEnd();
        alice.envelope("system.presence");
        assertThat(alice.envelope("system.presence")
                        .path("payload")
                        .path("event")
                        .asString())
                .isEqualTo("leave");
    }

    @Test
    void aBinaryFrameClosesWith1003() throws Exception {
        TestSocket alice = join("alice");
        alice.send(true, TestSocket.BINARY, new byte[] {1, 2, 3});
        assertThat(alice.closeCode()).isEqualTo(1003);
        alice.send(
                true,
                TestSocket.CLOSE,
                ByteBuffer.allocate(2).putShort((short) 1003).array());
        alice.expectEnd();
    }

    @Test
    void whoDoesNotAnswerACloseIsCutWithoutAnotherWord() throws Exception {
        TestSocket alice = join("alice");
        alice.send(true, TestSocket.BINARY, new byte[] {1});
        assertThat(alice.closeCode()).isEqualTo(1003);
        alice.expectEnd();
    }

    /** Every ping must be answered by a pong, but not if the client reads none of them or floods the server. */
    @Test
    void aFloodOfPingsThatNobodyReadsAnswersOfCostsNothing() throws Exception {
        TestSocket bob = join("bob");
        TestSocket flooding = join("alice");
        byte[] pings = new byte[1000 * 131];
        for (int i = 0; i < 1000; i++) {
            System.arraycopy(TestSocket.frame(true, TestSocket.PING, new byte[125]), 0, pings, i * 131, 131);
        }
        long before = pooledBytes();
        try {
            for (int i = 0; i < 300; i++) {
                flooding.sendRaw(pings);
            }
        } catch (SocketException e) {
            // The server closed the connection before it read everything.
        }
        bob.send(true, TestSocket.PING, new byte[] {1});
        while (bob.read().opcode() != TestSocket.PONG) {
            // Presence envelopes arrive first.
        }
        assertThat(pooledBytes() - before).isLessThan(32L * 1024 * 1024);
    }

    private static long pooledBytes() {
        return io.netty.util.internal.PlatformDependent.usedDirectMemory();
    }

    @Test
    void invalidUtf8ClosesWith1007() throws Exception {
        TestSocket alice = join("alice");
        alice.send(true, TestSocket.TEXT, new byte[] {'"', (byte) 0xC3, (byte) 0x28, '"'});
        assertThat(alice.closeCode()).isEqualTo(1007);
    }

    @Test
    void aFrameOverTheLimitClosesWith1009ThoughItIsStillBeingSent() throws Exception {
        TestSocket alice = join("alice");
        byte[] frame = TestSocket.frame(true, TestSocket.TEXT, new byte[20 * FRAME_LIMIT]);
        Thread.ofVirtual().start(() -> {
            try {
                alice.sendRaw(frame);
            } catch (IOException e) {
                // The server closed the connection while the client was sending; the close code arrived before.
            }
        });
        assertThat(alice.closeCode()).isEqualTo(1009);
    }

    @Test
    void fragmentsOverTheLimitCloseWith1009() throws Exception {
        TestSocket alice = join("alice");
        alice.send(false, TestSocket.TEXT, utf8("x".repeat(FRAME_LIMIT - 10)));
        alice.send(true, TestSocket.CONTINUATION, utf8("x".repeat(100)));
        assertThat(alice.closeCode()).isEqualTo(1009);
    }

    @Test
    void aBrokenFrameClosesWith1002() throws Exception {
        TestSocket alice = join("alice");
        alice.sendRaw(new byte[] {(byte) 0xF1, (byte) 0x80, 0, 0, 0, 0});
        assertThat(alice.closeCode()).isEqualTo(1002);
    }

    @Test
    void anUnmaskedFrameClosesWith1002() throws Exception {
        TestSocket alice = join("alice");
        alice.sendRaw(new byte[] {(byte) 0x81, 2, 'h', 'i'});
        assertThat(alice.closeCode()).isEqualTo(1002);
    }

    @Test
    void anImproperClientDoesNotHurtTheOthers() throws Exception {
        TestSocket alice = join("alice");
        TestSocket bob = join("bob");
        TestSocket helper = join("helper");
        helper.sendRaw(new byte[] {(byte) 0xFF, (byte) 0xFF, 0, 0, 0, 0});
        assertThat(helper.closeCode()).isEqualTo(1002);
        bob.send(chat("m-1", 5));
        assertThat(alice.envelope("chat.message").path("id").asString()).isEqualTo("m-1");
    }

    /**
     * The slow reader is sent far more than socket buffers and its queue hold. The server drops it, all other
     * participants receive everything, and if it reads again within its grace period it learns why it was dropped.
     */
    @Test
    void aReaderThatStopsReadingIsDroppedAndTheOthersGetEverything() throws Exception {
        TestSocket slow = join("helper");
        TestSocket alice = join("alice");
        TestSocket bob = join("bob");
        int messages = 400;
        Thread sender = Thread.ofVirtual().start(() -> {
            try {
                for (int i = 0; i < messages; i++) {
                    bob.send(chat("m-" + i, 60_000));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        boolean dropped = false;
        int received = 0;
        while (received < messages || !dropped) {
            var envelope = alice.envelope();
            String kind = envelope.path("kind").asString();
            if (kind.equals("chat.message")) {
                assertThat(envelope.path("id").asString()).isEqualTo("m-" + received++);
            } else if (kind.equals("system.presence")) {
                dropped |= envelope.path("payload").path("event").asString().equals("leave");
            }
        }
        sender.join();
        assertThat(end(slow)).isEqualTo(4008);
    }

    /** The close code after everything that a connection still holds. */
    private static int end(TestSocket socket) throws IOException {
        try {
            return socket.closeCode();
        } catch (EOFException | SocketException e) {
            return -1;
        }
    }
}
