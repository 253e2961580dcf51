package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests sockets that disconnect at once, while the server accepts them. */
class SocketChurnTest {
    private static final int MOST_AT_ONCE = 20;

    private static void connectAndClose(TestServer server, boolean seesTheAnswer) throws IOException {
        try (Socket socket = server.socket()) {
            socket.setSoLinger(true, 0);
            String handshake = """
                    GET /ws?topic=ops HTTP/1.1\r
                    Host: localhost\r
                    Connection: Upgrade\r
                    Upgrade: websocket\r
                    Sec-WebSocket-Version: 13\r
                    Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
                    Authorization: Bearer bob%s\r
                    \r
                    """.formatted(TestServer.SECRET);
            socket.getOutputStream().write(handshake.getBytes(StandardCharsets.US_ASCII));
            if (seesTheAnswer) {
                int _ = socket.getInputStream().read();
            }
        }
    }

    @Test
    void areForgotten() throws IOException {
        String limits = "limits: {ask: off, bytes: off, rate: 1000000/s, connections: " + MOST_AT_ONCE + "}\n";
        long closing;
        try (TestServer server = new TestServer(limits + TestServer.CONFIG, 4)) {
            // If one in ten were counted permanently, the limit would soon be reached.
            for (int i = 0; i < 20 * MOST_AT_ONCE; i++) {
                connectAndClose(server, i % 2 == 0);
            }
            await().until(() -> server.metrics().contains("gavel_connections{topic=\"ops\",transport=\"socket\"} 0"));
            try (TestSocket alice = server.join("alice")) {
                alice.send(true, TestSocket.PING, new byte[] {1});
                TestSocket.Frame answer = alice.read();
                while (answer.opcode() == TestSocket.TEXT) {
                    // A late presence envelope of a participant that left.
                    answer = alice.read();
                }
                assertThat(answer.opcode()).isEqualTo(TestSocket.PONG);
            }
            closing = System.nanoTime();
        }
        // The server would wait for a connection that it still considers open.
        assertThat(Duration.ofNanos(System.nanoTime() - closing)).isLessThan(Duration.ofSeconds(4));
    }
}
