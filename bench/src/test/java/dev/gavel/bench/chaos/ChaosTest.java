package dev.gavel.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Letters;
import dev.gavel.bench.reliability.Patience;
import dev.gavel.bench.reliability.Setting;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three gateways on PostgreSQL and NATS; {@code bench/chaos} does the same as the last of these for longer. */
@Timeout(300)
class ChaosTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final long SEED = 9;

    @TempDir
    private static Path directory;

    private static Fleet fleet;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        String gavel = Path.of("..", "gavel").toAbsolutePath().normalize().toString();
        fleet = Fleet.start(directory, List.of(gavel), 3, ChaosRun.configuration());
    }

    @AfterAll
    static void end() {
        if (fleet != null) {
            fleet.close();
        }
    }

    /** Somebody at one gateway. */
    private static final class Guest implements AutoCloseable {
        private final Queue<Heard> heard = new ConcurrentLinkedQueue<>();
        private final Client client;

        Guest(int gateway, String name) throws IOException, InterruptedException {
            client = Client.webSocket(
                    fleet.nodes().get(gateway).address(),
                    "/ws?topic=aside",
                    Setting.token(name),
                    (int) SOON.toMillis(),
                    heard::add);
            var _ = Patience.need("welcome", SOON, client.welcome());
        }

        void send(String letter) throws IOException {
            client.send(letter);
        }

        boolean has(String id) {
            return heard.stream().anyMatch(each -> each.id().equals(id));
        }

        boolean hasError(String code, String about) {
            return heard.stream()
                    .anyMatch(each -> each.kind().equals("system.error")
                            && each.error().equals(code)
                            && each.about().equals(about));
        }

        void hears(String id) throws InterruptedException {
            Patience.need("one hears " + id, SOON, () -> has(id));
        }

        void isRefused(String code, String about) throws InterruptedException {
            Patience.need(about + " is refused with " + code, SOON, () -> hasError(code, about));
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    private static String ready(int gateway) {
        return fleet.nodes()
                .get(gateway)
                .ask("newcomer", "/health/ready")
                .map(HttpResponse::body)
                .orElse("");
    }

    @Test
    void aGatewayCutOffFromNatsSaysSoAndGoesOnByTheLedgerAndIsAsBeforeWhenItIsMended() throws Exception {
        try (Guest proposer = new Guest(0, "p0");
                Guest reviewer = new Guest(1, "r0");
                Guest listener = new Guest(2, "w0")) {
            // Once each way: then everybody knows of everybody.
            whole(proposer, reviewer, listener, "before");

            fleet.link(0).cut();
            Patience.need("gateway-0 says that the bus is away", SOON, () -> ready(0).contains("bus_away"));
            proposer.send(Letters.chat("lost"));
            proposer.isRefused("unavailable", "lost");
            proposer.send(Letters.propose("cut-1", 600, 10));
            proposer.hears("cut-1");
            reviewer.hears("cut-1");
            reviewer.send(Letters.reject("no-1", "cut-1"));
            proposer.hears("no-1");
            listener.hears("no-1");
            reviewer.send(Letters.chat("elsewhere"));
            listener.hears("elsewhere");

            fleet.link(0).mend();
            fleet.awaitReady();
            whole(proposer, reviewer, listener, "after");
            assertThat(reviewer.has("lost")).isFalse();
            assertThat(listener.has("lost")).isFalse();
            try (Guest newcomer = new Guest(0, "w1")) {
                Heard welcome = newcomer.heard.element();
                assertThat(welcome.text()).contains("\"id\":\"p0\"", "\"id\":\"r0\"", "\"id\":\"w0\"");
            }
        }
    }

    /** What each says reaches the others; said again until it is not refused, since a gateway may not be back yet. */
    private static void whole(Guest proposer, Guest reviewer, Guest listener, String word)
            throws IOException, InterruptedException {
        List<Guest> all = List.of(proposer, reviewer, listener);
        for (Guest guest : all) {
            String id = word + "-" + all.indexOf(guest);
            guest.send(Letters.chat(id));
            for (Guest other : all) {
                if (other != guest) {
                    other.hears(id);
                }
            }
        }
    }

    @Test
    void whateverIsKilledStoppedOrCutOffNothingIsLostAndNothingDoneTwice() throws Exception {
        ChaosRun.Result result = ChaosRun.run(fleet, directory, SEED, Duration.ofSeconds(12));
        assertThat(result.violations())
                .as("seed " + SEED + ": " + result.figures())
                .isEmpty();
    }
}
