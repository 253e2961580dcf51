package dev.gavel.faults.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.faults.cluster.ClusterTestResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs a short chaos test against the built program. */
@Timeout(300)
class ChaosTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration MOMENT = Duration.ofSeconds(2);
    private static final long SEED = 9;

    @TempDir
    private static Path directory;

    private static GatewayCluster gatewayCluster;

    @BeforeAll
    @Timeout(180) // longer than the gateways may take, so that a failure shows their logs
    static void start() throws IOException, InterruptedException {
        // The program that this build has made. The script ./gavel would make another one first.
        Path gavel = Path.of("../app/target/gavel/gavel").toAbsolutePath().normalize();
        List<String> command = List.of("env", "JAVA_HOME=" + System.getProperty("java.home"), gavel.toString());
        gatewayCluster = GatewayCluster.start(directory, command, 3, ChaosRun.configuration());
    }

    @AfterAll
    static void end() {
        if (gatewayCluster != null) {
            gatewayCluster.close();
        }
    }

    /** A participant at one gateway. */
    private static final class GatewayParticipant implements AutoCloseable {
        private final Queue<ReceivedEnvelope> receivedEnvelope = new ConcurrentLinkedQueue<>();
        private final RawSocketClient client;

        GatewayParticipant(int gateway, String name) throws IOException, InterruptedException {
            client = RawSocketClient.webSocket(
                    gatewayCluster.gateways().get(gateway).address(),
                    "/ws?topic=aside",
                    GavelConfigBuilder.token(name),
                    (int) SOON.toMillis(),
                    receivedEnvelope::add);
            var _ = ConditionWaiter.require("welcome", SOON, client.welcome());
        }

        void send(String envelopeText) throws IOException {
            client.send(envelopeText);
        }

        boolean has(String id) {
            return receivedEnvelope.stream().anyMatch(each -> each.id().equals(id));
        }

        boolean hasError(String code, String about) {
            return receivedEnvelope.stream()
                    .anyMatch(each -> each.kind().equals("system.error")
                            && each.errorCode().equals(code)
                            && each.correlationId().equals(about));
        }

        void hears(String id) throws InterruptedException {
            ConditionWaiter.require("one hears " + id, SOON, () -> has(id));
        }

        void isRefused(String code, String about) throws InterruptedException {
            ConditionWaiter.require(about + " is refused with " + code, SOON, () -> hasError(code, about));
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    private static String ready(int gateway) {
        return gatewayCluster
                .gateways()
                .get(gateway)
                .httpGet("newcomer", "/health/ready")
                .map(HttpResponse::body)
                .orElse("");
    }

    @Test
    void aGatewayCutOffFromNatsSaysSoAndGoesOnByTheLedgerAndIsAsBeforeWhenItIsMended() throws Exception {
        try (GatewayParticipant proposer = new GatewayParticipant(0, "p0");
                GatewayParticipant reviewer = new GatewayParticipant(1, "r0");
                GatewayParticipant listener = new GatewayParticipant(2, "w0")) {
            // A message in each direction, after which every gateway knows all participants.
            assertConnected(proposer, reviewer, listener, "before");

            gatewayCluster.natsProxy(0).cut();
            try {
                ConditionWaiter.require(
                        "gateway-0 says that the bus is away", SOON, () -> ready(0).contains("bus_away"));
                proposer.send(EnvelopeTemplates.chatMessage("lost"));
                proposer.isRefused("unavailable", "lost");
                proposer.send(EnvelopeTemplates.proposal("cut-1", 600, 10));
                proposer.hears("cut-1");
                reviewer.hears("cut-1");
                reviewer.send(EnvelopeTemplates.rejection("no-1", "cut-1"));
                proposer.hears("no-1");
                listener.hears("no-1");
                assertReaches("elsewhere", reviewer, List.of(listener));
            } finally {
                gatewayCluster.natsProxy(0).restore();
            }
            gatewayCluster.awaitReady();
            assertConnected(proposer, reviewer, listener, "after");
            assertThat(reviewer.has("lost")).isFalse();
            assertThat(listener.has("lost")).isFalse();
            ConditionWaiter.require("a newcomer is told of everybody", SOON, () -> {
                String welcomeText = welcome();
                return Stream.of("p0", "r0", "w0").allMatch(name -> welcomeText.contains("\"id\":\"" + name + "\""));
            });
        }
    }

    /** The welcome of a new participant at the gateway that was cut off. */
    private static String welcome() {
        try (GatewayParticipant newcomer = new GatewayParticipant(0, "w1")) {
            return newcomer.receivedEnvelope.element().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Checks that the messages of each participant reach the others. */
    private static void assertConnected(
            GatewayParticipant proposer, GatewayParticipant reviewer, GatewayParticipant listener, String prefix)
            throws IOException, InterruptedException {
        List<GatewayParticipant> all = List.of(proposer, reviewer, listener);
        for (GatewayParticipant gatewayParticipant : all) {
            assertReaches(
                    prefix + "-" + all.indexOf(gatewayParticipant),
                    gatewayParticipant,
                    all.stream().filter(other -> other != gatewayParticipant).toList());
        }
    }

    /**
     * Checks that a message reaches the others. Resends it until all of them have received it at once, because a
     * gateway may not be back yet.
     */
    private static void assertReaches(
            String prefix, GatewayParticipant gatewayParticipant, List<GatewayParticipant> others)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + SOON.toNanos();
        for (int n = 0; System.nanoTime() < end; n++) {
            String id = prefix + "-" + n;
            gatewayParticipant.send(EnvelopeTemplates.chatMessage(id));
            if (ConditionWaiter.waitUntil(MOMENT, () -> others.stream().allMatch(other -> other.has(id)))) {
                return;
            }
        }
        throw new AssertionError("what is said does not reach others: " + prefix);
    }

    @Test
    void whateverIsKilledStoppedOrCutOffNothingIsLostAndNothingDoneTwice() throws Exception {
        ClusterTestResult result = ChaosRun.run(gatewayCluster, directory, SEED, Duration.ofSeconds(12));
        assertThat(result.violations())
                .as("seed " + SEED + ": " + result.figures())
                .isEmpty();
    }
}
