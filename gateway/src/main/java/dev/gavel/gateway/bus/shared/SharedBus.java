package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.Line;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Party;
import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.gateway.bus.wire.Ears;
import dev.gavel.gateway.bus.wire.Link;
import dev.gavel.gateway.bus.wire.Loss;
import dev.gavel.gateway.bus.wire.Wire;
import dev.gavel.ledger.Growth;
import dev.gavel.mcpx.Parsed;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The bus of a process that serves topics together with others. Thread-safe. */
public final class SharedBus implements Bus {
    private static final long BEAT_MILLIS = 1_000;
    private static final long LOOK_MILLIS = 250;

    private final String process;
    private final Wire wire;
    private final Lookout lookout;
    private final LongSupplier clock;
    private final Lines lines = new Lines();
    private final BusCounts counts = new BusCounts();
    private final Roll roll;
    private final Peers peers;
    private final ScheduledExecutorService pulse = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-bus-pulse").factory());
    private volatile @Nullable Voice voice;
    private volatile boolean closed;
    private long session;
    private long beatAt;

    /**
     * A bus over a wire, which {@link #start} starts.
     *
     * @param process as {@link Bus#process}
     * @param lookout is told what other processes wrote
     */
    public SharedBus(String process, Wire wire, Lookout lookout) {
        this(process, wire, lookout, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    SharedBus(String process, Wire wire, Lookout lookout, LongSupplier clock) {
        if (!process.matches("[A-Za-z0-9]{1,32}")) {
            throw new IllegalArgumentException("A process is named by letters and digits, not '" + process + "'");
        }
        this.process = process;
        this.wire = wire;
        this.lookout = lookout;
        this.clock = clock;
        this.roll = new Roll(() -> voice);
        this.peers = new Peers(lines, roll::ask, clock);
    }

    /** Begins to connect and to live by the clock. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the pulse
    public SharedBus start() {
        connect();
        pulse.scheduleWithFixedDelay(this::tick, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return this;
    }

    void connect() {
        wire.listen(Channels.HERE);
        wire.listen(Channels.WROTE);
        wire.listen(Channels.ALL_GATEWAYS);
        wire.listen(Channels.to(process));
        wire.start(new Hearing());
    }

    /** What is due by the clock. On one thread. */
    void tick() {
        peers.look();
        long now = clock.getAsLong();
        if (now - beatAt >= BEAT_MILLIS) {
            beatAt = now;
            roll.beat();
        }
    }

    @Override
    public String process() {
        return process;
    }

    @Override
    public boolean available() {
        return voice != null;
    }

    @Override
    public boolean alive(String other) {
        return other.equals(process) || peers.alive(other);
    }

    @Override
    public void wrote(Growth growth) {
        Voice now = voice;
        if (now != null) {
            now.say(Channels.WROTE, new Message.Wrote(growth));
        }
    }

    @Override
    public Line line(String topic) {
        return new TopicLine(topic);
    }

    /** How it is, and what it did so far. */
    public BusMeasures measures() {
        return counts.measures(available(), peers.count());
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Voice last = voice;
        voice = null;
        pulse.shutdown();
        if (last != null) {
            last.say(Channels.HERE, new Message.Farewell());
        }
        wire.close();
    }

    private final class TopicLine implements Line {
        private final String topic;
        private final String channel;
        private final String gateways;

        TopicLine(String topic) {
            this.topic = topic;
            this.channel = Channels.topic(topic);
            this.gateways = Channels.gateways(topic);
        }

        @Override
        public void open(Executor loop, Party party) {
            // Not while a connection comes or goes: the topic would not know which of the two it is left with.
            synchronized (lines) {
                peers.introduce(topic, () -> lines.add(topic, loop, party));
                if (!SharedBus.this.available()) {
                    lines.reachable(topic, false);
                }
            }
        }

        @Override
        public boolean available() {
            return SharedBus.this.available();
        }

        @Override
        public Sent send(Parcel parcel) {
            Voice now = voice;
            Sent sent = now == null
                    ? Sent.AWAY
                    : now.say(parcel.forGateways() ? gateways : channel, new Message.Carried(parcel));
            counts.sent(sent);
            return sent;
        }

        @Override
        public void here(Stay stay) {
            roll.here(topic, stay);
        }

        @Override
        public void gone(String member) {
            roll.gone(topic, member);
        }

        @Override
        public void follow(boolean wanted) {
            if (wanted) {
                wire.listen(channel);
            } else {
                wire.ignore(channel);
            }
        }
    }

    /** What comes over the wire, one after the other. */
    private final class Hearing implements Ears {
        @Override
        public void up(Link link) {
            if (closed) {
                return;
            }
            session++;
            counts.up();
            peers.thaw();
            synchronized (lines) {
                voice = new Voice(link, process, session);
                lines.reachable(true);
            }
            roll.askAll();
        }

        @Override
        public void down(Loss loss) {
            peers.freeze();
            counts.down(loss);
            synchronized (lines) {
                if (voice != null) {
                    voice = null;
                    lines.reachable(false);
                }
            }
        }

        @Override
        public void heard(String channel, byte[] message) {
            switch (MessageFormat.read(message)) {
                case Parsed.Invalid<Message.Heard>(String problem) -> counts.unreadable(channel, problem);
                case Parsed.Valid<Message.Heard>(Message.Heard heard) -> {
                    // An earlier connection's may still come by the next one.
                    if (!heard.process().equals(process)) {
                        heard(channel, heard);
                    }
                }
            }
        }

        /** What does not fit in any more leaves a gap, which must not go unnoticed. */
        private void received(String topic, Parcel parcel) {
            Voice now = voice;
            if (!lines.received(topic, parcel) && now != null) {
                now.overrun();
            }
        }

        private void heard(String channel, Message.Heard heard) {
            String from = heard.process();
            long theirs = heard.session();
            switch (heard.message()) {
                case Message.Carried(Parcel parcel) -> {
                    if (peers.counts(from, theirs)) {
                        counts.received();
                        Channels.topicOf(channel).ifPresent(topic -> received(topic, parcel));
                    }
                }
                case Message.Wrote(Growth growth) -> {
                    peers.counts(from, theirs);
                    lookout.told(growth);
                }
                case Message.Beat(long revision) -> peers.beat(from, theirs, revision);
                case Message.Ask(long revision) -> {
                    peers.beat(from, theirs, revision);
                    roll.answer(from, theirs);
                }
                case Message.Came came -> peers.came(from, theirs, came);
                case Message.Left left -> peers.left(from, theirs, left);
                case Message.Answer answer -> {
                    if (answer.asked() == session) {
                        peers.answered(from, theirs, answer);
                    }
                }
                case Message.Farewell() -> peers.farewell(from, theirs);
            }
        }
    }
}
