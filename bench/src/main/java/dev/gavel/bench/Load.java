package dev.gavel.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Participants in one topic, of whom the first few send and all receive, on one thread and one selector. What is in
 * flight is bounded by the slowest receiver, so that a server that drops slow readers has none to drop; every delivery
 * is counted and checked, and a round ends when all have all. Belongs to the thread that opened it.
 */
public final class Load implements AutoCloseable {
    /** As many messages may be under way to the slowest receiver. */
    static final int WINDOW = 256;
    /** As many are sent in one go when saturating: while these are relayed, the receivers take the ones before. */
    static final int BATCH = 64;

    private static final int READ = 256 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int TICK_MILLIS = 100;
    private static final long FINE_WAIT_NANOS = 50_000;

    private final Selector selector;
    private final ByteBuffer shared = ByteBuffer.allocateDirect(READ);
    private final List<Peer> connections = new ArrayList<>();
    private final int senders;
    private int window = WINDOW;
    private int nextSender;

    private Load(Selector selector, int senders) {
        this.selector = selector;
        this.senders = senders;
    }

    /**
     * Connects participants, each after the one before has arrived.
     *
     * @param path what they ask for, such as {@code /ws?topic=bench}
     * @param senders how many of the participants, from the first on, are to send
     * @param welcomes whether the server says when a participant has arrived ({@code system.welcome})
     */
    public static Load connect(
            InetSocketAddress server, String path, List<Participant> participants, int senders, boolean welcomes)
            throws IOException {
        return connect(List.of(server), path, participants, senders, welcomes);
    }

    /** Connects participants to several servers in turn. */
    public static Load connect(
            List<InetSocketAddress> servers, String path, List<Participant> participants, int senders, boolean welcomes)
            throws IOException {
        return connect(servers, null, path, participants, senders, welcomes);
    }

    /** Connects participants over TLS to a server that says when each has arrived. */
    public static Load connect(
            InetSocketAddress server, SSLContext tls, String path, List<Participant> participants, int senders)
            throws IOException {
        return connect(List.of(server), tls, path, participants, senders, true);
    }

    private static Load connect(
            List<InetSocketAddress> servers,
            @Nullable SSLContext tls,
            String path,
            List<Participant> participants,
            int senders,
            boolean welcomes)
            throws IOException {
        Load load = new Load(Selector.open(), senders);
        try {
            for (Participant participant : participants) {
                int own = load.connections.size() < senders ? load.connections.size() : -1;
                InetSocketAddress server = servers.get(load.connections.size() % servers.size());
                LoadConnection connection =
                        LoadConnection.open(server, tls, path, participant, load.selector, senders, own);
                load.connections.add(connection);
                load.pumpUntil(
                        () -> connection.isUpgraded() && (connection.isWelcomed() || !welcomes),
                        () -> connection.name()
                                + (connection.isUpgraded()
                                        ? ": got no system.welcome"
                                        : ": got no answer to its handshake"));
            }
            return load;
        } catch (IOException | RuntimeException e) {
            load.close();
            throw e;
        }
    }

    /** Connects one that publishes to a subject of a NATS server, and so many that subscribe to it. */
    public static Load nats(InetSocketAddress server, int receivers) throws IOException {
        Load load = new Load(Selector.open(), 1);
        try {
            for (int i = 0; i <= receivers; i++) {
                NatsConnection connection = NatsConnection.open(server, "n" + i, i == 0, load.selector);
                load.connections.add(connection);
                load.pumpUntil(connection::isReady, () -> connection.name() + ": NATS did not answer");
            }
            return load;
        } catch (IOException | RuntimeException e) {
            load.close();
            throw e;
        }
    }

    /** Lets more be under way than usual, where few receive and the server is not to wait for this thread. */
    public Load widened(int messages) {
        window = messages;
        return this;
    }

    /** Sends for a while, waits until everybody has received everything, and says what was delivered in what time. */
    public Delivered send(Pace pace, Duration time) {
        long before = received();
        long start = System.nanoTime();
        switch (pace) {
            case Pace.Saturating _ -> saturate(start + time.toNanos());
            case Pace.Even(int perSecond) -> {
                long spacing = 1_000_000_000L / perSecond;
                even(start, spacing, time.toNanos() / spacing);
            }
        }
        return awaitAll(before, start);
    }

    /** Sends so many messages as fast as they are taken. */
    public Delivered send(int messages) {
        long before = received();
        long start = System.nanoTime();
        int left = messages;
        while (left > 0) {
            left -= fill(Math.min(left, BATCH));
            pump(left > 0 ? TICK_MILLIS : 0);
        }
        return awaitAll(before, start);
    }

    private Delivered awaitAll(long before, long start) {
        pumpUntil(() -> furthestBehind() == 0, this::missing);
        return new Delivered(received() - before, System.nanoTime() - start);
    }

    private void saturate(long end) {
        while (System.nanoTime() < end) {
            fill(BATCH);
            pump(TICK_MILLIS);
        }
    }

    private void even(long start, long spacing, long messages) {
        for (long i = 0; i < messages; i++) {
            long due = start + i * spacing;
            long wait;
            while ((wait = due - System.nanoTime()) > 0) {
                if (wait > 1_000_000) {
                    pump((int) (wait / 1_000_000));
                } else if (pump(0) == 0) {
                    // A selector waits whole milliseconds, too coarse for even spacing.
                    LockSupport.parkNanos(Math.min(FINE_WAIT_NANOS, due - System.nanoTime()));
                }
            }
            while (fill(1) == 0) {
                pump(TICK_MILLIS);
            }
        }
    }

    /** Sends so many messages, from the next sender, if window and buffer have room for them all. */
    private int fill(int messages) {
        int sender = nextSender;
        Peer connection = connections.get(sender);
        if (furthestBehind() + messages > window || connection.room() < messages) {
            return 0;
        }
        nextSender = (sender + 1) % senders;
        try {
            connection.send(messages);
        } catch (IOException e) {
            throw lost(connection, e);
        }
        return messages;
    }

    private long sent() {
        long sent = 0;
        for (int i = 0; i < senders; i++) {
            sent += connections.get(i).sent();
        }
        return sent;
    }

    private long received() {
        long received = 0;
        for (Peer connection : connections) {
            received += connection.received();
        }
        return received;
    }

    /** How many messages the participant at a place is still to receive: nobody gets their own. */
    private long behind(int place, long sent) {
        Peer connection = connections.get(place);
        return sent - connection.sent() - connection.received();
    }

    private long furthestBehind() {
        long sent = sent();
        long furthest = 0;
        for (int i = 0; i < connections.size(); i++) {
            furthest = Math.max(furthest, behind(i, sent));
        }
        return furthest;
    }

    private String missing() {
        long sent = sent();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < connections.size(); i++) {
            if (behind(i, sent) != 0) {
                missing.add(connections.get(i).name() + " " + behind(i, sent));
            }
        }
        return "messages did not arrive, of " + sent + " sent: " + String.join(", ", missing);
    }

    /** Reads and writes what can be; says how many connections had something. */
    private int pump(int millis) {
        try {
            return millis == 0 ? selector.selectNow(this::ready) : selector.select(this::ready, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pumpUntil(BooleanSupplier done, Supplier<String> complaint) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new LoadFailure(complaint.get() + " (waited " + PATIENCE.toSeconds() + " s)");
            }
            pump(TICK_MILLIS);
        }
    }

    private void ready(SelectionKey key) {
        Peer connection = (Peer) key.attachment();
        try {
            if (key.isReadable()) {
                connection.read(shared);
            }
            if (key.isWritable()) {
                connection.flush();
            }
        } catch (IOException e) {
            throw lost(connection, e);
        }
    }

    private static LoadFailure lost(Peer connection, IOException e) {
        return new LoadFailure(connection.name() + ": lost the connection: " + e.getMessage(), e);
    }

    @Override
    public void close() throws IOException {
        for (Peer connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
