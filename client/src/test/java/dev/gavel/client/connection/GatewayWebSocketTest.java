package dev.gavel.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.client.http.GatewayEndpoint;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GatewayWebSocketTest {
    private static final String PATH = "/ws?topic=ops";

    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> receivedTexts = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    private GatewayWebSocket open(GatewayEndpoint at) throws Exception {
        GatewayWebSocket gatewayWebSocket =
                GatewayWebSocket.open(client, at, PATH, (from, text) -> receivedTexts.add(text));
        gatewayWebSocket.startReading();
        return gatewayWebSocket;
    }

    @Test
    void aServerThatSaysNothingAtAllHasGone() throws Exception {
        try (SilentWebSocketServer server = new SilentWebSocketServer()) {
            GatewayWebSocket gatewayWebSocket = open(server.access());
            assertThat(gatewayWebSocket.awaitClose(Duration.ofMillis(200)).reason())
                    .contains("sent nothing for");
            assertThat(gatewayWebSocket.send("hello?")).isFalse();
        }
    }

    @Test
    void whatComesInPiecesIsHandedOnWhole() throws Exception {
        try (SilentWebSocketServer server =
                new SilentWebSocketServer(new byte[] {0x01, 2, 'a', 'b', 0x00, 1, 'c', (byte) 0x80, 1, 'd'})) {
            open(server.access());
            assertThat(receivedTexts.poll(10, TimeUnit.SECONDS)).isEqualTo("abcd");
        }
    }

    @Test
    void anEndThatComesWhileSomethingIsHandedOnIsNoticed() throws Exception {
        CountDownLatch delivered = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        GatewayWebSocket gatewayWebSocket;
        try (SilentWebSocketServer server = new SilentWebSocketServer(new byte[] {(byte) 0x81, 2, 'h', 'i'})) {
            gatewayWebSocket = GatewayWebSocket.open(client, server.access(), PATH, (from, text) -> {
                delivered.countDown();
                assertThatCode(proceed::await).doesNotThrowAnyException();
            });
            // Texts that have already arrived are delivered by the thread that calls startReading().
            Thread.ofVirtual().start(gatewayWebSocket::startReading);
            delivered.await();
        }
        try (SilentWebSocketServer other = new SilentWebSocketServer()) {
            // The HTTP client's single thread also processes closes: once this WebSocket is open, the earlier close is
            // processed.
            open(other.access());
        }
        proceed.countDown();
        assertThat(gatewayWebSocket.awaitClose(Duration.ofSeconds(20)).reason()).doesNotContain("sent nothing for");
    }

    @Test
    void aCloseCodeIsItsEnd() throws Exception {
        int code = 4003;
        try (SilentWebSocketServer server =
                new SilentWebSocketServer(new byte[] {(byte) 0x88, 2, (byte) (code >> 8), (byte) code})) {
            assertThat(open(server.access()).awaitClose(Duration.ofSeconds(20)).code())
                    .isEqualTo(code);
        }
    }

    @Test
    void openFailsIfNoServerListens() throws Exception {
        GatewayEndpoint gone;
        try (SilentWebSocketServer server = new SilentWebSocketServer()) {
            gone = server.access();
        }
        assertThatThrownBy(() -> open(gone))
                .isInstanceOfSatisfying(
                        GatewayWebSocket.OpenFailedException.class,
                        e -> assertThat(e.status()).isZero())
                .hasMessageNotContaining("a-token");
    }
}
