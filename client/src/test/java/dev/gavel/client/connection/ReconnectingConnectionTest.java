package dev.gavel.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.connection.FakeGatewayServer.AcceptedSocket;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests to which address the client reconnects when its gateway stops, and how it handles the ledger it finds there.
 */
@Timeout(60)
class ReconnectingConnectionTest {
    private static final int RESTARTING = 1012;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private final ReconnectingConnectionListener reconnectingConnectionListener = new ReconnectingConnectionListener() {
        @Override
        public void onConnect(String you) {
            events.add("up");
        }

        @Override
        public void onDisconnect(String why) {
            events.add("down");
        }

        @Override
        public void onEnvelope(Envelope envelope) {
            events.add(envelope.id());
        }

        @Override
        public void onResync() {
            events.add("resync");
        }

        @Override
        public void onClose(PermanentCloseReason why) {
            events.add("over");
        }
    };

    private void open(ReconnectingConnection reconnectingConnection) {
        Thread.ofVirtual().start(() -> {
            try {
                reconnectingConnection.open(reconnectingConnectionListener);
            } catch (ConnectFailedException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private List<String> awaitEvent(String event) throws InterruptedException {
        List<String> received = new ArrayList<>();
        do {
            String next = events.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("after " + received).isNotNull();
            received.add(next);
        } while (!received.getLast().equals(event));
        return received;
    }

    @Test
    void theClientDoesNotSwitchBackToAGatewayThatStops() throws Exception {
        try (FakeGatewayServer one = new FakeGatewayServer();
                FakeGatewayServer other = new FakeGatewayServer();
                RemoteGateway gateway =
                        new RemoteGateway(GatewayEndpoint.of(List.of(one.url(), other.url()), Optional.of("a-token")));
                ReconnectingConnection reconnectingConnection = new ReconnectingConnection(gateway, "ops", false)) {
            open(reconnectingConnection);
            AcceptedSocket first = one.nextConnection();
            first.sendWelcome(0);
            awaitEvent("up");
            // As a concurrent HTTP request does when it gets no response.
            gateway.switchAddress(gateway.endpoint());
            first.close(RESTARTING);
            other.nextConnection().sendWelcome(0);
            awaitEvent("up");
            assertThat(one.hasConnections()).isFalse();
        }
    }

    @Test
    void aGatewayThatIsBehindTheOneBeforeIsNotTakenForOneWithAnotherLedger() throws Exception {
        try (FakeGatewayServer server = new FakeGatewayServer();
                RemoteGateway gateway = new RemoteGateway(server.access());
                ReconnectingConnection reconnectingConnection = new ReconnectingConnection(gateway, "ops", false)) {
            open(reconnectingConnection);
            AcceptedSocket first = server.nextConnection();
            first.sendWelcome(5);
            first.sendEnvelope(
                    "mcp.proposal.tools/call:x", "p-1", "{\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}");
            awaitEvent("p-1");
            first.close(RESTARTING);

            AcceptedSocket again = server.nextConnection();
            server.seq(5);
            again.sendWelcome(5);
            assertThat(awaitEvent("up")).doesNotContain("resync");
            assertThat(server.awaitRequests(2)).isTrue();
            server.seq(6);
            again.sendEnvelope("chat.message", "c-1", "{\"text\":\"a\"}");
            assertThat(awaitEvent("c-1")).doesNotContain("resync");
        }
    }
}
