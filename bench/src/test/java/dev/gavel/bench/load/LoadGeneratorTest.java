package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
    private static final String PATH = "/ws?topic=bench";

    private static List<LoadParticipantCredentials> participants(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new LoadParticipantCredentials("p" + i, "token" + i))
                .toList();
    }

    /** The part of a test that uses a relay's address. */
    private interface Use {
        void with(InetSocketAddress relay) throws IOException;
    }

    private static void relayed(Use use) throws IOException {
        try (RawRelayThread relay = new RawRelayThread(1024 * 1024)) {
            use.with(relay.address());
        }
    }

    @Test
    void everyMessageIsDeliveredOnceToEveryoneButItsSender() throws IOException {
        relayed(relay -> {
            try (LoadGenerator loadGenerator = LoadGenerator.connect(relay, PATH, participants(11), 1, false)) {
                assertThat(loadGenerator.send(5_000).deliveries()).isEqualTo(50_000);
                assertThat(loadGenerator.send(1).deliveries()).isEqualTo(10);
            }
        });
    }

    @Test
    void sendersReceiveEachOthersMessages() throws IOException {
        relayed(relay -> {
            try (LoadGenerator loadGenerator = LoadGenerator.connect(relay, PATH, participants(5), 3, false)) {
                assertThat(loadGenerator.send(3_000).deliveries()).isEqualTo(12_000);
            }
        });
    }

    @Test
    void anEvenPaceSendsAsManyMessagesAsTheTimeHolds() throws IOException {
        relayed(relay -> {
            try (LoadGenerator loadGenerator = LoadGenerator.connect(relay, PATH, participants(3), 1, false)) {
                LoadResult loadResult = loadGenerator.send(new SendRate.Constant(1_000), Duration.ofMillis(50));
                assertThat(loadResult.deliveries()).isEqualTo(100);
            }
        });
    }

    @Test
    void saturatingDeliversInWholeMessages() throws IOException {
        relayed(relay -> {
            try (LoadGenerator loadGenerator = LoadGenerator.connect(relay, PATH, participants(4), 1, false)) {
                long deliveries = loadGenerator
                        .send(new SendRate.Saturating(), Duration.ofMillis(50))
                        .deliveries();
                assertThat(deliveries).isPositive();
                assertThat(deliveries % 3).isZero();
            }
        });
    }

    /** A scripted server for one connection. */
    private interface ServerScript {
        void play(String head, DataInputStream in, Socket socket) throws IOException;
    }

    private static void served(ServerScript script, Use use) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            CompletableFuture<Void> played = CompletableFuture.runAsync(() -> {
                try (Socket socket = server.accept()) {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    StringBuilder head = new StringBuilder();
                    while (head.indexOf("\r\n\r\n") < 0) {
                        head.append((char) in.readByte());
                    }
                    script.play(head.toString(), in, socket);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            use.with(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
            played.join();
        }
    }

    private static void accept(String head, Socket socket) throws IOException {
        socket.getOutputStream()
                .write(WebSocketUpgradeCodec.response(
                        WebSocketUpgradeCodec.parseKey(head).orElseThrow()));
    }

    private static byte[] frame(int opcode, String text) {
        byte[] payload = text.getBytes(UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(WebSocketFrameHeaderCodec.LONGEST_HEADER + payload.length);
        WebSocketFrameHeaderCodec.putHeader(frame, opcode, payload.length);
        frame.put(payload);
        byte[] bytes = new byte[frame.position()];
        frame.get(0, bytes);
        return bytes;
    }

    @Test
    void aParticipantAsksForTheTopicWithItsTokenAndWaitsForItsWelcome() throws IOException {
        CompletableFuture<String> requestHead = new CompletableFuture<>();
        served(
                (head, in, socket) -> {
                    requestHead.complete(head);
                    accept(head, socket);
                    socket.getOutputStream()
                            .write(frame(WebSocketFrameHeaderCodec.TEXT, "{\"kind\":\"system.welcome\"}"));
                    assertThat(in.read()).isEqualTo(-1);
                },
                server -> LoadGenerator.connect(server, PATH, participants(1), 1, true)
                        .close());
        assertThat(requestHead.join())
                .startsWith("GET /ws?topic=bench HTTP/1.1\r\n")
                .contains("\r\nAuthorization: Bearer token0\r\n");
    }

    @Test
    void aPingIsAnsweredWithItsPayload() throws IOException {
        CompletableFuture<String> answered = new CompletableFuture<>();
        served(
                (head, in, socket) -> {
                    accept(head, socket);
                    socket.getOutputStream().write(frame(WebSocketFrameHeaderCodec.PING, "hello"));
                    byte[] pong = in.readNBytes(2 + 4 + 5);
                    ByteBuffer plain = ByteBuffer.allocate(5);
                    WebSocketFrameHeaderCodec.putMasked(
                            plain,
                            ByteBuffer.wrap(pong),
                            6,
                            5,
                            ByteBuffer.wrap(pong).getInt(2));
                    answered.complete((pong[0] & 0x0f) + " " + new String(plain.array(), UTF_8));
                    socket.getOutputStream()
                            .write(frame(WebSocketFrameHeaderCodec.TEXT, "{\"kind\":\"system.welcome\"}"));
                    assertThat(in.read()).isEqualTo(-1);
                },
                server -> LoadGenerator.connect(server, PATH, participants(1), 1, true)
                        .close());
        assertThat(answered.join()).isEqualTo(WebSocketFrameHeaderCodec.PONG + " hello");
    }

    @Test
    void aServerThatRefusesIsQuoted() throws IOException {
        served(
                (_, _, socket) -> socket.getOutputStream()
                        .write("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8)),
                server -> assertThatThrownBy(() -> LoadGenerator.connect(server, PATH, participants(1), 1, true))
                        .isInstanceOf(RunFailedException.class)
                        .hasMessageContaining(
                                "p0: the server refused the WebSocket upgrade: HTTP/1.1 401 Unauthorized"));
    }

    @Test
    void aServerThatLeavesIsAFailure() throws IOException {
        served(
                (head, _, socket) -> accept(head, socket),
                server -> assertThatThrownBy(() -> LoadGenerator.connect(server, PATH, participants(1), 1, true))
                        .isInstanceOf(RunFailedException.class)
                        .hasMessageStartingWith("p0: the server ended the connection"));
    }
}
