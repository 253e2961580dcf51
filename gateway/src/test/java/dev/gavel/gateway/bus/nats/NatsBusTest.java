package dev.gavel.gateway.bus.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.bus.cluster.ClusterBus;
import dev.gavel.gateway.bus.cluster.RecordingBusListener;
import dev.gavel.ledger.AppendedRange;
import dev.gavel.mcpx.CapabilitySet;
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

/** Processes that share topics over a real NATS server, which is killed, paused or disconnected. */
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

    /** A gateway process with only its bus. */
    private static final class Gateway implements AutoCloseable {
        final RecordingBusListener listener = new RecordingBusListener();
        final ExecutorService loop = Executors.newSingleThreadExecutor();
        final ClusterBus bus;
        final InterProcessTopicChannel topicChannel;

        Gateway(String name, NatsConnectionOptions address) {
            RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher = new RemoteLedgerWriteDispatcher();
            remoteLedgerWriteDispatcher.subscribe(TOPIC, new RemoteLedgerWriteDispatcher.StreamListener() {
                @Override
                public void onWritten(long first, long last) {
                    loop.execute(() -> listener.envelopes().add("wrote " + first + "-" + last));
                }

                @Override
                public void onPolledHead(long last) {
                    throw new AssertionError("nobody looks here");
                }
            });
            bus = new ClusterBus(name, new NatsBusTransport(address), remoteLedgerWriteDispatcher);
            topicChannel = bus.topicChannel(TOPIC);
            topicChannel.open(loop, listener);
            topicChannel.setReceiving(true);
            bus.start();
        }

        BusSendResult say(String text) {
            return topicChannel.send(envelope(text.getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void close() {
            bus.close();
            loop.shutdown();
        }
    }

    private static ForwardedEnvelope envelope(byte[] envelope) {
        return new ForwardedEnvelope(0, "alice", Instant.EPOCH, Optional.empty(), false, false, envelope);
    }

    private Gateway gateway(String name, int port) {
        return opened(new Gateway(name, address(URI.create("nats://127.0.0.1:" + port))));
    }

    private static NatsConnectionOptions address(URI... servers) {
        return new NatsConnectionOptions(
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
        until("both are there", () -> one.bus.isAlive(other.bus.processId()) && other.bus.isAlive(one.bus.processId()));
    }

    private static MemberPresence stay(String member) {
        return new MemberPresence(member, CapabilitySet.NONE, 1);
    }

    @Test
    void whatAProcessSendsIsHeardInItsOrder() {
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", nats.port());
        know(a, b);
        List<String> sent = new ArrayList<>();
        for (int i = 1; i <= 2_000; i++) {
            if (i % 10 == 0) {
                a.bus.announceWrite(new AppendedRange(TOPIC, i, i));
                sent.add("wrote " + i + "-" + i);
            } else {
                assertThat(a.say("e" + i)).isEqualTo(BusSendResult.SENT);
                sent.add("e" + i);
            }
        }
        until("all is heard", () -> b.listener.envelopes().size() == sent.size());
        assertThat(b.listener.envelopes()).isEqualTo(sent);
        assertThat(a.listener.envelopes()).isEmpty();
    }

    @Test
    void aProcessThatStartsBeforeNatsFindsItAndOneThatTakesLeaveIsGoneAtOnce() {
        nats.kill();
        Gateway a = gateway("a", nats.port());
        assertThat(a.bus.isAvailable()).isFalse();
        assertThat(a.say("1")).isEqualTo(BusSendResult.UNAVAILABLE);
        until("it knows that it is alone", () -> !a.listener.isReachable());
        a.topicChannel.announcePresent(stay("alice"));
        nats.restart();
        Gateway b = gateway("b", nats.port());
        until("alice is known", () -> b.listener.present().containsKey("a/alice"));
        a.close();
        until("alice has left", () -> b.listener.present().isEmpty());
        assertThat(b.bus.isAlive("a")).isFalse();
        assertThat(b.listener.violations()).isEmpty();
    }

    @Test
    void aNatsServerThatIsKilledIsFoundAgainAndNobodyLeavesMeanwhile() {
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", nats.port());
        a.topicChannel.announcePresent(stay("alice"));
        until("alice is known", () -> b.listener.present().containsKey("a/alice"));
        nats.kill();
        until("both know", () -> !a.bus.isAvailable() && !b.bus.isAvailable());
        assertThat(a.say("lost")).isEqualTo(BusSendResult.UNAVAILABLE);
        a.topicChannel.announcePresent(stay("amy"));
        assertThat(b.listener.present()).containsOnlyKeys("a/alice");
        nats.restart();
        until("amy is known", () -> b.listener.present().containsKey("a/amy"));
        until("it can be sent", () -> a.say("found") == BusSendResult.SENT);
        until("it is heard", () -> b.listener.envelopes().contains("found"));
        assertThat(b.listener.present()).containsOnlyKeys("a/alice", "a/amy");
        assertThat(b.listener.isReachable()).isTrue();
        assertThat(a.listener.violations()).isEmpty();
        assertThat(b.listener.violations()).isEmpty();
        assertThat(b.bus.metrics().connects()).isGreaterThan(1);
    }

    @Test
    void aNatsServerThatStandsStillIsNoticedAndWhatItHeldUpIsNotHeardLate() {
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", nats.port());
        know(a, b);
        nats.pause();
        // Until the outage is detected, this is sent to a server that buffers it.
        assertThat(a.say("held up")).isEqualTo(BusSendResult.SENT);
        until("both know", () -> !a.bus.isAvailable() && !b.bus.isAvailable());
        nats.resume();
        until("both are back", () -> a.bus.isAvailable() && b.bus.isAvailable());
        until("it can be heard", () -> {
            a.say("now");
            return b.listener.envelopes().contains("now");
        });
        assertThat(b.listener.envelopes()).doesNotContain("held up");
        assertThat(b.listener.violations()).isEmpty();
    }

    @Test
    void aProcessThatIsCutOffHasNobodyLeaveAndIsGoneForTheOthers() {
        TcpProxy proxy = opened(new TcpProxy(nats.port()));
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", proxy.port());
        a.topicChannel.announcePresent(stay("alice"));
        b.topicChannel.announcePresent(stay("bob"));
        until("bob is known", () -> a.listener.present().containsKey("b/bob"));
        until("alice is known", () -> b.listener.present().containsKey("a/alice"));
        proxy.cut();
        until("it knows", () -> !b.bus.isAvailable());
        assertThat(b.say("lost")).isEqualTo(BusSendResult.UNAVAILABLE);
        until("bob has left", () -> a.listener.present().isEmpty());
        assertThat(b.listener.present()).containsOnlyKeys("a/alice");
        proxy.restore();
        until("bob is back", () -> a.listener.present().containsKey("b/bob"));
        until("it can be heard", () -> {
            a.say("now");
            return b.listener.envelopes().contains("now");
        });
        assertThat(b.listener.present()).containsOnlyKeys("a/alice");
        assertThat(a.listener.violations()).isEmpty();
        assertThat(b.listener.violations()).isEmpty();
    }

    @Test
    void aProcessWhoseConnectionStallsNoticesAndWhatWasHeldUpIsNotHeardLate() {
        TcpProxy proxy = opened(new TcpProxy(nats.port()));
        Gateway a = gateway("a", nats.port());
        Gateway b = gateway("b", proxy.port());
        know(a, b);
        proxy.stall();
        assertThat(b.say("held up")).isEqualTo(BusSendResult.SENT);
        until("it knows", () -> !b.bus.isAvailable());
        until("it is gone for the other", () -> !a.bus.isAlive("b"));
        proxy.restore();
        until("it can be heard", () -> {
            b.say("now");
            return a.listener.envelopes().contains("now");
        });
        assertThat(a.listener.envelopes()).doesNotContain("held up");
    }

    @Test
    void aProcessThatCannotSendFastEnoughIsToldSoAndDoesNotWait() {
        TcpProxy proxy = opened(new TcpProxy(nats.port()));
        Gateway a = gateway("a", proxy.port());
        until("it is there", a.bus::isAvailable);
        proxy.stall();
        ForwardedEnvelope large = envelope(new byte[500_000]);
        int most = 200;
        while (most > 0 && a.topicChannel.send(large) == BusSendResult.SENT) {
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
        assertThat(a.topicChannel.send(envelope(new byte[most]))).isEqualTo(BusSendResult.TOO_LARGE);
        assertThat(a.topicChannel.send(envelope(new byte[most - 200]))).isEqualTo(BusSendResult.SENT);
        // Any client that may publish can publish arbitrary bytes.
        plain.publish("gavel.here", "nonsense".getBytes(StandardCharsets.UTF_8));
        plain.flush(PATIENCE);
        until("it is counted", () -> a.bus.metrics().malformed() == 1);
        until("the large one is heard", () -> b.listener.envelopes().size() == 1);
        assertThat(a.bus.isAvailable()).isTrue();
    }

    @Test
    void usersAndTokensAreToldApart() {
        NatsServer withUser = opened(new NatsServer("--user", "gavel", "--pass", "secret"));
        NatsServer withToken = opened(new NatsServer("--auth", "sesame"));
        Gateway named = opened(new Gateway(
                "named",
                new NatsConnectionOptions(
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
                new NatsConnectionOptions(
                        List.of(withToken.uri()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("sesame"),
                        Optional.empty(),
                        "gavel",
                        "test")));
        Gateway stranger = opened(new Gateway("stranger", address(withUser.uri())));
        know(named, within);
        until("the token is taken", holder.bus::isAvailable);
        assertThat(stranger.bus.isAvailable()).isFalse();
        assertThat(named.bus.isAlive("stranger")).isFalse();
    }
}
