package dev.gavel.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.server.NatsServerProcess;
import dev.gavel.bench.server.RunWorkspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests a load generator on a NATS server. */
class NatsLoadConnectionTest {
    @Test
    void everyMessageReachesEverySubscriber() throws IOException, InterruptedException {
        try (RunWorkspace runWorkspace = RunWorkspace.open();
                LoadGenerator loadGenerator = LoadGenerator.connectNats(
                        NatsServerProcess.start(runWorkspace).address(), 7)) {
            assertThat(loadGenerator.send(3_000).deliveries()).isEqualTo(21_000);
            assertThat(loadGenerator
                            .send(new SendRate.Constant(500), Duration.ofMillis(100))
                            .deliveries())
                    .isEqualTo(350);
        }
    }

    @Test
    void aComplaintOfTheServerIsNotAMessage() throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread complaining = Thread.ofVirtual().start(() -> {
                try (Socket client = server.accept()) {
                    client.getOutputStream().write("-ERR 'no'\r\n".getBytes(StandardCharsets.US_ASCII));
                    // Reads until the client disconnects.
                    int _ = client.getInputStream().readAllBytes().length;
                } catch (IOException _) {
                    // The client has already disconnected.
                }
            });
            InetSocketAddress address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            assertThatThrownBy(() -> LoadGenerator.connectNats(address, 1))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("reported an error");
            complaining.join();
        }
    }
}
