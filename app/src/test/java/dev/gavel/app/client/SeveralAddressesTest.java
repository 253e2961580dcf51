package dev.gavel.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.End;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.client.Token;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a gateway with several addresses: one server after the other on the same ledger. */
@Timeout(60)
class SeveralAddressesTest {
    @TempDir
    private Path data;

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    private TestServer server(int port) throws IOException {
        return new TestServer(ClientTestServer.config(data, "").replace("127.0.0.1:0", "127.0.0.1:" + port), 1);
    }

    private static Gavel gavel(String identity, int first, int second) {
        return Gavel.at(url(first), url(second))
                .token(Token.of(identity + TestServer.SECRET))
                .topic("ops");
    }

    @Test
    void whoIsToldThatOneStopsGoesOnAtTheNextWithoutALossOrARepetition() throws Exception {
        int first = freePort();
        int second = freePort();
        TestServer one = server(first);
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        try (Participant helper = gavel("helper", first, second).connect();
                Participant alice = gavel("alice", second, first)
                        .onEnvelope(envelope -> {
                            if (envelope.kind().toString().startsWith("mcp.proposal")) {
                                received.add(envelope.id());
                            }
                        })
                        .connect()) {
            Pending before = helper.propose(Call.tool("write")).send();
            before.accepted().join();
            one.close();
            Pending between = helper.propose(Call.tool("write")).send();
            try (TestServer other = server(second)) {
                between.accepted().join();
                assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(before.id());
                assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(between.id());
                for (Pending each : List.of(before, between)) {
                    alice.decide(alice.proposal(each.id()), Decision.reject("no"))
                            .join();
                    assertThat(each.await()).isInstanceOf(End.Rejected.class);
                }
                assertThat(received).isEmpty();
                assertThat(other.listen().port()).isEqualTo(second);
            }
        }
    }

    @Test
    void whatIsAskedByHttpIsAskedAtTheNextWhereOneDoesNotAnswer() throws Exception {
        int unusedPort = freePort();
        try (TestServer server = server(freePort());
                RemoteGateway gateway = new RemoteGateway(GatewayEndpoint.of(
                        List.of(URI.create(url(unusedPort)), URI.create("http://" + server.listen())),
                        Optional.of("alice" + TestServer.SECRET)))) {
            Json topic = gateway.topic("ops");
            assertThat(topic.at("ledger").isTrue()).isTrue();
            assertThat(gateway.endpoint().url()).hasPort(server.listen().port());
        }
    }
}
