package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the relay with the JDK's WebSocket client. */
class RawRelayTest {
    private final RawRelayThread relay;

    RawRelayTest() throws IOException {
        relay = new RawRelayThread(64 * 1024);
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    private Client client() {
        return new Client(URI.create("ws://127.0.0.1:" + relay.address().getPort() + "/ws?topic=bench"));
    }

    @Test
    void everyoneButTheSenderGetsEveryFrameInOrder() throws InterruptedException {
        try (Client sender = client();
                Client one = client();
                Client two = client()) {
            List<String> texts = IntStream.range(0, 500)
                    .mapToObj(i -> i + "ü".repeat(i % 7 * 40))
                    .toList();
            texts.forEach(sender::send);
            assertThat(one.take(500)).isEqualTo(texts);
            assertThat(two.take(500)).isEqualTo(texts);
            one.send("from one");
            assertThat(sender.take(1)).containsExactly("from one");
            assertThat(two.take(1)).containsExactly("from one");
            two.send("last");
            assertThat(one.take(1)).containsExactly("last");
        }
    }

    @Test
    void framesOfEveryLengthArriveWhole() throws IOException, InterruptedException {
        // The JDK's client would send the long ones in fragments.
        try (Socket sender = openRawSocket();
                Client receiver = client()) {
            for (int length : new int[] {0, 1, 125, 126, 127, 65_535, 65_536, 100_000}) {
                String text = "x".repeat(length);
                ByteBuffer frame = ByteBuffer.allocate(WebSocketFrameHeaderCodec.LONGEST_HEADER + length);
                WebSocketFrameHeaderCodec.putMaskedHeader(frame, WebSocketFrameHeaderCodec.TEXT, length, 0x01020304);
                WebSocketFrameHeaderCodec.putMasked(
                        frame, ByteBuffer.wrap(text.getBytes(ISO_8859_1)), 0, length, 0x01020304);
                sender.getOutputStream().write(frame.array(), 0, frame.position());
                assertThat(receiver.take(1)).containsExactly(text);
            }
        }
    }

    /** An open connection that reads and sends only when the test does. */
    private Socket openRawSocket() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 * 1024);
        socket.setSoTimeout(20_000);
        socket.connect(relay.address());
        socket.getOutputStream().write(WebSocketUpgradeCodec.request("127.0.0.1", "/ws?topic=bench", "none", "key"));
        int answer = WebSocketUpgradeCodec.response("key").length;
        assertThat(new String(socket.getInputStream().readNBytes(answer), ISO_8859_1))
                .startsWith("HTTP/1.1 101");
        return socket;
    }

    @Test
    void aPingIsAnswered() throws InterruptedException {
        try (Client client = client()) {
            client.socket
                    .sendPing(ByteBuffer.wrap("hello".getBytes(ISO_8859_1)))
                    .join();
            assertThat(client.take(1)).containsExactly("pong hello");
        }
    }

    @Test
    void whoDoesNotReadIsDroppedAndTheOthersGetAll() throws IOException, InterruptedException {
        try (Socket slow = openRawSocket()) {
            List<LoadParticipantCredentials> credentials = List.of(
                    new LoadParticipantCredentials("s0", "none"),
                    new LoadParticipantCredentials("r0", "none"),
                    new LoadParticipantCredentials("r1", "none"));
            int messages = 40_000;
            try (LoadGenerator loadGenerator =
                    LoadGenerator.connect(relay.address(), "/ws?topic=bench", credentials, 1, false)) {
                assertThat(loadGenerator.send(messages).deliveries()).isEqualTo(2L * messages);
            }
            assertThat(readToEnd(slow.getInputStream())).isLessThan((long) messages * ChatFrameGenerator.MEAN_LENGTH);
        }
    }

    private static long readToEnd(InputStream in) throws IOException {
        long read = 0;
        byte[] bytes = new byte[64 * 1024];
        try {
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                read += n;
            }
        } catch (SocketException _) {
            // A reset ends the connection as a close does.
        }
        return read;
    }

    /** A participant that records what it receives. */
    private static final class Client implements WebSocket.Listener, AutoCloseable {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final StringBuilder partial = new StringBuilder();
        private final HttpClient http = HttpClient.newHttpClient();
        private final WebSocket socket;

        Client(URI uri) {
            socket = http.newWebSocketBuilder().buildAsync(uri, this).join();
        }

        void send(String text) {
            socket.sendText(text, true).join();
        }

        /** The next texts, up to this number; fewer if they do not arrive. */
        List<String> take(int count) throws InterruptedException {
            List<String> taken = new ArrayList<>();
            while (taken.size() < count) {
                String next = heard.poll(20, TimeUnit.SECONDS);
                if (next == null) {
                    break;
                }
                taken.add(next);
            }
            return taken;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            partial.append(data);
            if (last) {
                heard.add(partial.toString());
                partial.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
            heard.add("pong " + ISO_8859_1.decode(message));
            from.request(1);
            return null;
        }

        @Override
        public void close() {
            socket.abort();
            http.shutdownNow();
        }
    }
}
