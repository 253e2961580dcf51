package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.bus.TopicBusListener;
import dev.gavel.gateway.bus.transport.BusConnection;
import dev.gavel.gateway.bus.transport.BusDisconnectReason;
import dev.gavel.gateway.bus.transport.BusTransport;
import dev.gavel.gateway.bus.transport.BusTransportListener;
import dev.gavel.ledger.AppendedRange;
import dev.gavel.mcpx.ValueParseResult;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects a gateway process with the other gateway processes that serve the same topics, by messages over a transport.
 * Thread-safe.
 */
public final class ClusterBus implements Bus {
    private static final long HEARTBEAT_MILLIS = 1_000;
    private static final long TICK_MILLIS = 250;

    private final String process;
    private final BusTransport transport;
    private final RemoteLedgerWriteDispatcher writeNotifier;
    private final LongSupplier clock;
    private final TopicBusDispatcher dispatcher = new TopicBusDispatcher();
    private final BusCounters counts = new BusCounters();
    private final LocalPresenceAnnouncer presenceAnnouncer;
    private final PeerRegistry peerRegistry;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-bus-pulse").factory());
    private volatile @Nullable BusSender sender;
    private volatile boolean closed;
    private long session;
    private long lastHeartbeatMillis;

    /**
     * Creates a bus over a transport; {@link #start} starts it.
     *
     * @param process as {@link Bus#processId}
     * @param remoteLedgerWriteDispatcher is notified of what other processes wrote
     */
    public ClusterBus(
            String process, BusTransport busTransport, RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher) {
        this(
                process,
                busTransport,
                remoteLedgerWriteDispatcher,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    ClusterBus(
            String process,
            BusTransport busTransport,
            RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher,
            LongSupplier clock) {
        if (!process.matches("[A-Za-z0-9]{1,32}")) {
            throw new IllegalArgumentException(
                    "A process id must have 1 to 32 letters and digits, not '" + process + "'");
        }
        this.process = process;
        this.transport = busTransport;
        this.writeNotifier = remoteLedgerWriteDispatcher;
        this.clock = clock;
        this.presenceAnnouncer = new LocalPresenceAnnouncer(() -> sender);
        this.peerRegistry = new PeerRegistry(dispatcher, presenceAnnouncer::requestPresence, clock);
    }

    /** Starts connecting, and starts the timer for heartbeats and leases. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the scheduler
    public ClusterBus start() {
        connect();
        scheduler.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return this;
    }

    void connect() {
        transport.subscribe(BusChannelNames.PRESENCE);
        transport.subscribe(BusChannelNames.LEDGER_WRITES);
        transport.subscribe(BusChannelNames.ALL_GATEWAYS);
        transport.subscribe(BusChannelNames.toProcess(process));
        transport.start(new TransportHandler());
    }

    /** Expires leases and sends due heartbeats. Called on one thread. */
    void tick() {
        peerRegistry.expireLeases();
        long now = clock.getAsLong();
        if (now - lastHeartbeatMillis >= HEARTBEAT_MILLIS) {
            lastHeartbeatMillis = now;
            presenceAnnouncer.sendHeartbeat();
        }
    }

    @Override
    public String processId() {
        return process;
    }

    @Override
    public boolean isAvailable() {
        return sender != null;
    }

    @Override
    public boolean isAlive(String other) {
        return other.equals(process) || peerRegistry.isAlive(other);
    }

    @Override
    public void announceWrite(AppendedRange appendedRange) {
        BusSender now = sender;
        if (now != null) {
            now.send(BusChannelNames.LEDGER_WRITES, new BusMessage.LedgerWritten(appendedRange));
        }
    }

    @Override
    public InterProcessTopicChannel topicChannel(String topic) {
        return new TopicChannel(topic);
    }

    /** Returns the bus's counters and availability. */
    public BusMetricsSnapshot metrics() {
        return counts.snapshot(isAvailable(), peerRegistry.count());
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        BusSender last = sender;
        sender = null;
        scheduler.shutdown();
        if (last != null) {
            last.send(BusChannelNames.PRESENCE, new BusMessage.ProcessStopping());
        }
        transport.close();
    }

    private final class TopicChannel implements InterProcessTopicChannel {
        private final String topic;
        private final String channel;
        private final String allProcessesChannel;

        TopicChannel(String topic) {
            this.topic = topic;
            this.channel = BusChannelNames.topic(topic);
            this.allProcessesChannel = BusChannelNames.gateways(topic);
        }

        @Override
        public void open(Executor loop, TopicBusListener topicBusListener) {
            // Locked against connects and disconnects: otherwise the topic could be left with the wrong availability.
            synchronized (dispatcher) {
                peerRegistry.addTopic(topic, () -> dispatcher.add(topic, loop, topicBusListener));
                if (!ClusterBus.this.isAvailable()) {
                    dispatcher.onReachable(topic, false);
                }
            }
        }

        @Override
        public boolean isAvailable() {
            return ClusterBus.this.isAvailable();
        }

        @Override
        public BusSendResult send(ForwardedEnvelope forwardedEnvelope) {
            BusSender now = sender;
            BusSendResult busSendResult = now == null
                    ? BusSendResult.UNAVAILABLE
                    : now.send(
                            forwardedEnvelope.forAllProcesses() ? allProcessesChannel : channel,
                            new BusMessage.EnvelopeMessage(forwardedEnvelope));
            counts.countSent(busSendResult);
            return busSendResult;
        }

        @Override
        public void announcePresent(MemberPresence memberPresence) {
            presenceAnnouncer.announceJoined(topic, memberPresence);
        }

        @Override
        public void announceAbsent(String member) {
            presenceAnnouncer.announceLeft(topic, member);
        }

        @Override
        public void setReceiving(boolean wanted) {
            if (wanted) {
                transport.subscribe(channel);
            } else {
                transport.unsubscribe(channel);
            }
        }
    }

    /** Handles the transport's events, one after the other. */
    private final class TransportHandler implements BusTransportListener {
        @Override
        public void onConnect(BusConnection busConnection) {
            if (closed) {
                return;
            }
            session++;
            counts.countConnect();
            long requestId = peerRegistry.onConnected();
            synchronized (dispatcher) {
                sender = new BusSender(busConnection, process, session);
                dispatcher.onReachable(true);
            }
            presenceAnnouncer.requestAllPresence(requestId);
        }

        @Override
        public void onDisconnect(BusDisconnectReason busDisconnectReason) {
            peerRegistry.onDisconnected();
            counts.countDisconnect(busDisconnectReason);
            synchronized (dispatcher) {
                if (sender != null) {
                    sender = null;
                    dispatcher.onReachable(false);
                }
            }
        }

        @Override
        public void onMessage(String channel, byte[] message) {
            switch (BusMessageCodec.decode(message)) {
                case ValueParseResult.Invalid<BusMessage.ReceivedMessage>(String problem) ->
                    counts.countMalformed(channel, problem);
                case ValueParseResult.Valid<BusMessage.ReceivedMessage>(BusMessage.ReceivedMessage receivedMessage) -> {
                    // This process's messages from an earlier connection may still arrive over the next one.
                    if (!receivedMessage.process().equals(process)) {
                        handle(channel, receivedMessage);
                    }
                }
            }
        }

        /** If the envelope does not fit into the queue, there is a gap, which must not go unnoticed. */
        private void deliver(String topic, ForwardedEnvelope forwardedEnvelope) {
            BusSender now = sender;
            if (!dispatcher.onEnvelope(topic, forwardedEnvelope) && now != null) {
                now.closeOverrun();
            }
        }

        private void handle(String channel, BusMessage.ReceivedMessage receivedMessage) {
            String from = receivedMessage.process();
            long remoteSession = receivedMessage.session();
            switch (receivedMessage.message()) {
                case BusMessage.EnvelopeMessage(ForwardedEnvelope forwardedEnvelope) -> {
                    if (peerRegistry.renewLease(from, remoteSession)) {
                        counts.countReceived();
                        BusChannelNames.topicOf(channel).ifPresent(topic -> deliver(topic, forwardedEnvelope));
                    }
                }
                case BusMessage.LedgerWritten(AppendedRange appendedRange) -> {
                    peerRegistry.renewLease(from, remoteSession);
                    writeNotifier.notifyWritten(appendedRange);
                }
                case BusMessage.Heartbeat(long revision) -> peerRegistry.onHeartbeat(from, remoteSession, revision);
                case BusMessage.PresenceRequest(long requestId, long revision) -> {
                    peerRegistry.onHeartbeat(from, remoteSession, revision);
                    presenceAnnouncer.sendPresence(from, requestId);
                }
                case BusMessage.MemberJoined memberJoined ->
                    peerRegistry.onMemberJoined(from, remoteSession, memberJoined);
                case BusMessage.MemberLeft left -> peerRegistry.onMemberLeft(from, remoteSession, left);
                case BusMessage.PresenceResponse presenceResponse ->
                    peerRegistry.onPresenceResponse(from, remoteSession, presenceResponse);
                case BusMessage.ProcessStopping() -> peerRegistry.onProcessStopping(from, remoteSession);
            }
        }
    }
}
