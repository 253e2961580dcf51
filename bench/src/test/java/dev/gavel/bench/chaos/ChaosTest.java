package dev.gavel.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Letters;
import dev.gavel.bench.reliability.Patience;
import dev.gavel.bench.reliability.Setting;
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

/** Three gateways on PostgreSQL and NATS; {@code bench/chaos} does the same as the last of these for longer. */
@Timeout(300)
class ChaosTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration MOMENT = Duration.ofSeconds(2);
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
            try {
                Patience.need("gateway-0 says that the bus is away", SOON, () -> ready(0).contains("bus_away"));
                proposer.send(Letters.chat("lost"));
                proposer.isRefused("unavailable", "lost");
                proposer.send(Letters.propose("cut-1", 600, 10));
                proposer.hears("cut-1");
                reviewer.hears("cut-1");
                reviewer.send(Letters.reject("no-1", "cut-1"));
                proposer.hears("no-1");
                listener.hears("no-1");
                reaches("elsewhere", reviewer, List.of(listener));
            } finally {
                fleet.link(0).mend();
            }
            fleet.awaitReady();
            whole(proposer, reviewer, listener, "after");
            assertThat(reviewer.has("lost")).isFalse();
            assertThat(listener.has("lost")).isFalse();
            Patience.need("a newcomer is told of everybody", SOON, () -> {
                String told = welcome();
                return Stream.of("p0", "r0", "w0").allMatch(name -> told.contains("\"id\":\"" + name + "\""));
            });
        }
    }

    /** What a newcomer at the gateway that was cut off is told at once. */
    private static String welcome() {
        try (Guest newcomer = new Guest(0, "w1")) {
            return newcomer.heard.element().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What each says reaches the others. */
    private static void whole(Guest proposer, Guest reviewer, Guest listener, String word)
            throws IOException, InterruptedException {
        List<Guest> all = List.of(proposer, reviewer, listener);
        for (Guest guest : all) {
            reaches(
                    word + "-" + all.indexOf(guest),
                    guest,
                    all.stream().filter(other -> other != guest).toList());
        }
    }

    /** What one says reaches others: said anew until all have heard it at once, since a gateway may not be back yet. */
    private static void reaches(String word, Guest guest, List<Guest> others) throws IOException, InterruptedException {
        long end = System.nanoTime() + SOON.toNanos();
        for (int n = 0; System.nanoTime() < end; n++) {
            String id = word + "-" + n;
            guest.send(Letters.chat(id));
            if (Patience.until(MOMENT, () -> others.stream().allMatch(other -> other.has(id)))) {
                return;
            }
        }
        throw new AssertionError("what is said does not reach others: " + word);
    }

    @Test
    void whateverIsKilledStoppedOrCutOffNothingIsLostAndNothingDoneTwice() throws Exception {
        ChaosRun.Result result = ChaosRun.run(fleet, directory, SEED, Duration.ofSeconds(12));
        assertThat(result.violations())
                .as("seed " + SEED + ": " + result.figures())
                .isEmpty();
    }
}
