package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.ValueParseResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Several bus processes that serve one topic within a test, driven by a manual clock. */
final class BusTestCluster {
    static final String TOPIC = "ops.eu";

    final InMemoryTransportNetwork network = new InMemoryTransportNetwork();
    private final List<TestProcess> all = new ArrayList<>();
    private long now = 1_000_000;
    private int names;

    final class TestProcess {
        final InMemoryTransportNetwork.TestTransport wire = network.newTransport();
        final RecordingBusListener listener = new RecordingBusListener();
        final List<String> grown = new ArrayList<>();
        final ClusterBus bus;
        final InterProcessTopicChannel busChannel;
        boolean alive = true;

        /** Runs the listener's calls; at once, unless a test replaces it to stall them. */
        Executor loop = Runnable::run;

        TestProcess(String name) {
            RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher = new RemoteLedgerWriteDispatcher();
            remoteLedgerWriteDispatcher.subscribe(TOPIC, new RemoteLedgerWriteDispatcher.StreamListener() {
                @Override
                public void onWritten(long first, long last) {
                    listener.envelopes().add("wrote " + first + "-" + last);
                }

                @Override
                public void onPolledHead(long last) {
                    throw new AssertionError("nobody looks here");
                }
            });
            bus = new ClusterBus(name, wire, remoteLedgerWriteDispatcher, () -> now);
            busChannel = bus.topicChannel(TOPIC);
            busChannel.open(task -> loop.execute(task), listener);
            busChannel.setReceiving(true);
            bus.connect();
        }

        BusSendResult send(String text) {
            return busChannel.send(parcel(text, false));
        }

        void kill() {
            alive = false;
            wire.kill();
        }
    }

    static ForwardedEnvelope parcel(String text, boolean forGateways) {
        return new ForwardedEnvelope(
                7,
                "alice",
                Instant.ofEpochSecond(1_700_000_000L, 5_000_000),
                Optional.empty(),
                false,
                forGateways,
                text.getBytes(StandardCharsets.UTF_8));
    }

    static MemberPresence stay(String member, long claim) {
        return new MemberPresence(member, capabilities("chat.*", "mcp.request.*"), claim);
    }

    static CapabilitySet capabilities(String... patterns) {
        return CapabilitySet.of(List.of(patterns).stream()
                .map(pattern -> switch (Capability.compile(pattern)) {
                    case ValueParseResult.Valid<Capability>(Capability capability) -> capability;
                    case ValueParseResult.Invalid<Capability>(String problem) -> throw new AssertionError(problem);
                })
                .toList());
    }

    TestProcess start() {
        TestProcess process = new TestProcess("p" + names++);
        all.add(process);
        network.deliverAll();
        return process;
    }

    List<TestProcess> all() {
        return all;
    }

    /** Advances the time in steps of 250 ms, and delivers the messages that this causes. */
    void advanceTime(long millis) {
        for (long end = now + millis; now < end; ) {
            now += 250;
            all.stream().filter(each -> each.alive).forEach(each -> each.bus.tick());
            network.deliverAll();
        }
    }

    /** Advances the time without running any timers. */
    void skipTime(long millis) {
        now += millis;
    }
}
