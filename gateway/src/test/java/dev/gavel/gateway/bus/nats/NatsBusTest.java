package dev.gavel.gateway.bus.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.bus.Line;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.gateway.bus.shared.SharedBus;
import dev.gavel.gateway.bus.shared.TestParty;
import dev.gavel.ledger.Growth;
import dev.gavel.mcpx.Capabilities;
import io.nats.client.Connection;
import io.nats.client.Nats;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Processes that share topics over a real NATS server, which is killed, stands still, or is cut off. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class NatsBusTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String TOPIC = "ops.eu";

    private final List<AutoCloseable> open = new ArrayList<>();
    private final NatsServer nats = opened(new NatsServer());

    private <T extends AutoCloseable> T opened(T it) {
        open.addFirst(it);
        return it;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** A process, as far as the bus is concerned. */
    private static final class Gateway implements AutoCloseable {
        final TestParty party = new TestParty();
        final ExecutorService loop = Executors.newSingleThreadExecutor();
        final SharedBus bus;
        final Line line;

        Gateway(String name, NatsAddress address) {
            Lookout lookout = new Lookout();
            lookout.follow(TOPIC, new Lookout.Follower() {
                @Override
                public void told(long first, long last) {
                    loop.execute(() -> party.heard().add("wrote " + first + "-" + last));
                }

                @Override
                public void seen(long last) {
                    throw new AssertionError("nobody looks here");
                }
            });
            bus = new SharedBus(name, new NatsWire(address), lookout);
            line = bus.line(TOPIC);
            line.open(loop, party);
            line.follow(true);
            bus.start();
        }

        Sent say(String text) {
            return line.send(parcel(text.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void close() {
            bus.close();
            loop.shutdown();
        }
    }

    private static Parcel parcel(byte[] envelope) {
        return new Parcel(0, "alice", Instant.EPOCH, Optional.empty(), false, false, envelope);
    }

    private Gateway gateway(String name, int port) {
        return opened(new Gateway(name, address(URI.create("nats://127.0.0.1:" + port))));
    }

    private static NatsAddress address(URI... servers) {
        return new NatsAddress(
                List.of(servers),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "gavel",
                "test");
    }

    private static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as("%s within %s", what, PATIENCE).isLessThan(end);
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void know(Gateway one, Gateway other) {
        until("both are there", () -> one.bus.alive(other.bus.process()) && other.bus.alive(one.bus.process()));
    }

    private static Stay stay(String member) {
        return new Stay(member, Capabilities.NONE, 1);
    }

    @Test
    void whatAProcessSendsIsHeardInItsOrder() {
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", nats.port());
        know(a, b);
        List<String> sent = new ArrayList<>();
        for (int i = 1; i <= 2_000; i++) {
            if (i % 10 == 0) {
                a.bus.wrote(new Growth(TOPIC, i, i));
                sent.add("wrote " + i + "-" + i);
            } else {
                assertThat(a.say("e" + i)).isEqualTo(Sent.SENT);
                sent.add("e" + i);
            }
        }
        until("all is heard", () -> b.party.heard().size() == sent.size());
        assertThat(b.party.heard()).isEqualTo(sent);
        assertThat(a.party.heard()).isEmpty();
    }

    @Test
    void aProcessThatStartsBeforeNatsFindsItAndOneThatTakesLeaveIsGoneAtOnce() {
        nats.kill();
        Gateway a = gateway("a", nats.port());
        assertThat(a.bus.available()).isFalse();
        assertThat(a.say("1")).isEqualTo(Sent.AWAY);
        until("it knows that it is alone", () -> !a.party.isReachable());
        a.line.here(stay("alice"));
        nats.restart();
        Gateway b = gateway("b", nats.port());
        until("alice is known", () -> b.party.present().containsKey("a/alice"));
        a.close();
        until("alice has left", () -> b.party.present().isEmpty());
        assertThat(b.bus.alive("a")).isFalse();
        assertThat(b.party.wrongs()).isEmpty();
    }

    @Test
    void aNatsServerThatIsKilledIsFoundAgainAndNobodyLeavesMeanwhile() {
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", nats.port());
        a.line.here(stay("alice"));
        until("alice is known", () -> b.party.present().containsKey("a/alice"));
        nats.kill();
        until("both know", () -> !a.bus.available() && !b.bus.available());
        assertThat(a.say("lost")).isEqualTo(Sent.AWAY);
        a.line.here(stay("amy"));
        assertThat(b.party.present()).containsOnlyKeys("a/alice");
        nats.restart();
        until("amy is known", () -> b.party.present().containsKey("a/amy"));
        until("it can be sent", () -> a.say("found") == Sent.SENT);
        until("it is heard", () -> b.party.heard().contains("found"));
        assertThat(b.party.present()).containsOnlyKeys("a/alice", "a/amy");
        assertThat(b.party.isReachable()).isTrue();
        assertThat(a.party.wrongs()).isEmpty();
        assertThat(b.party.wrongs()).isEmpty();
        assertThat(b.bus.measures().connected()).isGreaterThan(1);
    }

    @Test
    void aNatsServerThatStandsStillIsNoticedAndWhatItHeldUpIsNotHeardLate() {
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", nats.port());
        know(a, b);
        nats.stop();
        // Until it is noticed this goes to a server that keeps it for later.
        assertThat(a.say("held up")).isEqualTo(Sent.SENT);
        until("both know", () -> !a.bus.available() && !b.bus.available());
        nats.go();
        until("both are back", () -> a.bus.available() && b.bus.available());
        until("it can be heard", () -> {
            a.say("now");
            return b.party.heard().contains("now");
        });
        assertThat(b.party.heard()).doesNotContain("held up");
        assertThat(b.party.wrongs()).isEmpty();
    }

    @Test
    void aProcessThatIsCutOffHasNobodyLeaveAndIsGoneForTheOthers() {
        TcpProxy proxy = opened(new TcpProxy(nats.port()));
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", proxy.port());
        a.line.here(stay("alice"));
        b.line.here(stay("bob"));
        until("bob is known", () -> a.party.present().containsKey("b/bob"));
        until("alice is known", () -> b.party.present().containsKey("a/alice"));
        proxy.cut();
        until("it knows", () -> !b.bus.available());
        assertThat(b.say("lost")).isEqualTo(Sent.AWAY);
        until("bob has left", () -> a.party.present().isEmpty());
        assertThat(b.party.present()).containsOnlyKeys("a/alice");
        proxy.mend();
        until("bob is back", () -> a.party.present().containsKey("b/bob"));
        until("it can be heard", () -> {
            a.say("now");
            return b.party.heard().contains("now");
        });
        assertThat(b.party.present()).containsOnlyKeys("a/alice");
        assertThat(a.party.wrongs()).isEmpty();
        assertThat(b.party.wrongs()).isEmpty();
    }

    @Test
    void aProcessWhoseConnectionStallsNoticesAndWhatWasHeldUpIsNotHeardLate() {
        TcpProxy proxy = opened(new TcpProxy(nats.port()));
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", proxy.port());
        know(a, b);
        proxy.stall();
        assertThat(b.say("held up")).isEqualTo(Sent.SENT);
        until("it knows", () -> !b.bus.available());
        until("it is gone for the other", () -> !a.bus.alive("b"));
        proxy.mend();
        until("it can be heard", () -> {
            b.say("now");
            return a.party.heard().contains("now");
        });
        assertThat(a.party.heard()).doesNotContain("held up");
    }

    @Test
    void aProcessThatCannotSendFastEnoughIsToldSoAndDoesNotWait() {
        TcpProxy proxy = opened(new TcpProxy(nats.port()));
        Gateway a = gateway("a", proxy.port());
        until("it is there", a.bus::available);
        proxy.stall();
        Parcel large = parcel(new byte[500_000]);
        int most = 200;
        while (most > 0 && a.line.send(large) == Sent.SENT) {
            most--;
        }
        assertThat(most).as("it says so before it holds 100 MB").isPositive();
    }

    @Test
    void whatNatsDoesNotTakeIsTooLarge() throws Exception {
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", nats.port());
        know(a, b);
        Connection plain = Nats.connect(nats.uri().toString());
        opened(plain);
        int most = (int) plain.getMaxPayload();
        assertThat(a.line.send(parcel(new byte[most]))).isEqualTo(Sent.TOO_LARGE);
        assertThat(a.line.send(parcel(new byte[most - 200]))).isEqualTo(Sent.SENT);
        // Whoever can publish can publish anything.
        plain.publish("gavel.here", "nonsense".getBytes(StandardCharsets.UTF_8));
        plain.flush(PATIENCE);
        until("it is counted", () -> a.bus.measures().unreadable() == 1);
        until("the large one is heard", () -> b.party.heard().size() == 1);
        assertThat(a.bus.available()).isTrue();
    }

    @Test
    void usersAndTokensAreToldApart() {
        NatsServer withUser = opened(new NatsServer("--user", "gavel", "--pass", "secret"));
        NatsServer withToken = opened(new NatsServer("--auth", "sesame"));
        Gateway named = opened(new Gateway(
                "named",
                new NatsAddress(
                        List.of(withUser.uri()),
                        Optional.of("gavel"),
                        Optional.of("secret"),
                        Optional.empty(),
                        Optional.empty(),
                        "gavel",
                        "test")));
        Gateway within =
                opened(new Gateway("within", address(URI.create("nats://gavel:secret@127.0.0.1:" + withUser.port()))));
        Gateway holder = opened(new Gateway(
                "holder",
                new NatsAddress(
                        List.of(withToken.uri()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("sesame"),
                        Optional.empty(),
                        "gavel",
                        "test")));
        Gateway stranger = opened(new Gateway("stranger", address(withUser.uri())));
        know(named, within);
        until("the token is taken", holder.bus::available);
        assertThat(stranger.bus.available()).isFalse();
        assertThat(named.bus.alive("stranger")).isFalse();
    }
}
