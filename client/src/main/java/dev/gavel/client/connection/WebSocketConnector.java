package dev.gavel.client.connection;

import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/** Opens WebSockets to a topic at a gateway's addresses, moving to the next address on failure. Thread-safe. */
final class WebSocketConnector implements AutoCloseable {
    private final RemoteGateway gateway;
    private final String query;

    /** Does not follow redirects: the token is sent only to the configured addresses. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    WebSocketConnector(RemoteGateway gateway, String topic, boolean directed) {
        this.gateway = gateway;
        this.query = "/ws?topic=" + topic + (directed ? "&mode=directed" : "");
    }

    /** Opens the first WebSocket, at the first address that works. */
    GatewayWebSocket openAtAnyAddress(BiConsumer<GatewayWebSocket, String> textListener)
            throws GatewayWebSocket.OpenFailedException, InterruptedException {
        for (int left = gateway.endpoint().urls().size(); ; left--) {
            try {
                return open(OptionalLong.empty(), textListener);
            } catch (GatewayWebSocket.OpenFailedException e) {
                if (left <= 1 || PermanentCloseReason.ofHttpStatus(e.status()).isPresent()) {
                    throw e;
                }
            }
        }
    }

    /**
     * Opens a WebSocket, which delivers nothing before {@link GatewayWebSocket#startReading}. On failure, the gateway
     * switches to its next address.
     */
    GatewayWebSocket open(OptionalLong since, BiConsumer<GatewayWebSocket, String> textListener)
            throws GatewayWebSocket.OpenFailedException, InterruptedException {
        GatewayEndpoint gatewayEndpoint = gateway.endpoint();
        try {
            return GatewayWebSocket.open(
                    client,
                    gatewayEndpoint,
                    query + (since.isPresent() ? "&since=" + since.getAsLong() : ""),
                    textListener);
        } catch (GatewayWebSocket.OpenFailedException e) {
            gateway.switchAddress(gatewayEndpoint);
            throw e;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
