package dev.gavel.bench.load;

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
 * Generates broadcast load: connects many participants to one topic, sends messages from a few of them, and verifies
 * every delivery to the others. The slowest receiver bounds the number of messages in flight, so that a server that
 * drops slow readers has none to drop. Every delivery is counted and verified, and a round ends when all receivers have
 * received all messages. Confined to the thread that opened it.
 */
public final class LoadGenerator implements AutoCloseable {
    /** The maximum number of messages in flight to the slowest receiver. */
    static final int WINDOW = 256;
    /**
     * The number of messages sent at once when saturating: while the server relays them, the receivers read the
     * previous ones.
     */
    static final int BATCH = 64;

    private static final int READ = 256 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int TICK_MILLIS = 100;
    private static final long FINE_WAIT_NANOS = 50_000;

    private final Selector selector;
    private final ByteBuffer shared = ByteBuffer.allocateDirect(READ);
    private final List<LoadGeneratorConnection> connections = new ArrayList<>();
    private final int senders;
    private int window = WINDOW;
    private int nextSender;

    private LoadGenerator(Selector selector, int senders) {
        this.selector = selector;
        this.senders = senders;
    }

    /**
     * Connects participants one after the other.
     *
     * @param path the WebSocket path, such as {@code /ws?topic=bench}
     * @param senders the number of participants, from the first one on, that send
     * @param welcomes whether the server confirms each connection with {@code system.welcome}
     */
    public static LoadGenerator connect(
            InetSocketAddress server,
            String path,
            List<LoadParticipantCredentials> credentials,
            int senders,
            boolean welcomes)
            throws IOException {
        return connect(List.of(server), path, credentials, senders, welcomes);
    }

    /** Connects participants to several servers in turn. */
    public static LoadGenerator connect(
            List<InetSocketAddress> servers,
            String path,
            List<LoadParticipantCredentials> credentials,
            int senders,
            boolean welcomes)
            throws IOException {
        return connect(servers, null, path, credentials, senders, welcomes);
    }

    /** Connects participants over TLS to a server that sends a welcome to each. */
    public static LoadGenerator connect(
            InetSocketAddress server,
            SSLContext tls,
            String path,
            List<LoadParticipantCredentials> credentials,
            int senders)
            throws IOException {
        return connect(List.of(server), tls, path, credentials, senders, true);
    }

    private static LoadGenerator connect(
            List<InetSocketAddress> servers,
            @Nullable SSLContext tls,
            String path,
            List<LoadParticipantCredentials> credentials,
            int senders,
            boolean welcomes)
            throws IOException {
        LoadGenerator loadGenerator = new LoadGenerator(Selector.open(), senders);
        try {
            for (LoadParticipantCredentials loadParticipantCredentials : credentials) {
                int own = loadGenerator.connections.size() < senders ? loadGenerator.connections.size() : -1;
                InetSocketAddress server = servers.get(loadGenerator.connections.size() % servers.size());
                WebSocketLoadConnection connection = WebSocketLoadConnection.open(
                        server, tls, path, loadParticipantCredentials, loadGenerator.selector, senders, own);
                loadGenerator.connections.add(connection);
                loadGenerator.processIoUntil(
                        () -> connection.isUpgraded() && (connection.isWelcomed() || !welcomes),
                        () -> connection.name()
                                + (connection.isUpgraded()
                                        ? ": received no system.welcome"
                                        : ": received no answer to the handshake"));
            }
            return loadGenerator;
        } catch (IOException | RuntimeException e) {
            loadGenerator.close();
            throw e;
        }
    }

    /** Connects one publisher to a subject of a NATS server, and this many subscribers. */
    public static LoadGenerator connectNats(InetSocketAddress server, int receivers) throws IOException {
        LoadGenerator loadGenerator = new LoadGenerator(Selector.open(), 1);
        try {
            for (int i = 0; i <= receivers; i++) {
                NatsLoadConnection connection =
                        NatsLoadConnection.open(server, "n" + i, i == 0, loadGenerator.selector);
                loadGenerator.connections.add(connection);
                loadGenerator.processIoUntil(connection::isReady, () -> connection.name() + ": NATS did not answer");
            }
            return loadGenerator;
        } catch (IOException | RuntimeException e) {
            loadGenerator.close();
            throw e;
        }
    }

    /**
     * Allows more messages in flight than by default, for few receivers, so that the server does not wait for this
     * thread.
     */
    public LoadGenerator withWindow(int messages) {
        window = messages;
        return this;
    }

    /**
     * Sends for a while, waits until every receiver has received everything, and returns the deliveries and the time.
     */
    public LoadResult send(SendRate sendRate, Duration time) {
        long before = received();
        long start = System.nanoTime();
        switch (sendRate) {
            case SendRate.Saturating _ -> saturate(start + time.toNanos());
            case SendRate.Constant(int perSecond) -> {
                long spacing = 1_000_000_000L / perSecond;
                sendEvenly(start, spacing, time.toNanos() / spacing);
            }
        }
        return awaitAll(before, start);
    }

    /** Sends this many messages as fast as the receivers read. */
    public LoadResult send(int messages) {
        long before = received();
        long start = System.nanoTime();
        int left = messages;
        while (left > 0) {
            left -= trySend(Math.min(left, BATCH));
            processIo(left > 0 ? TICK_MILLIS : 0);
        }
        return awaitAll(before, start);
    }

    private LoadResult awaitAll(long before, long start) {
        processIoUntil(() -> largestBacklog() == 0, this::describeMissing);
        return new LoadResult(received() - before, System.nanoTime() - start);
    }

    private void saturate(long end) {
        while (System.nanoTime() < end) {
            trySend(BATCH);
            processIo(TICK_MILLIS);
        }
    }

    private void sendEvenly(long start, long spacing, long messages) {
        for (long i = 0; i < messages; i++) {
            long due = start + i * spacing;
            long wait;
            while ((wait = due - System.nanoTime()) > 0) {
                if (wait > 1_000_000) {
                    processIo((int) (wait / 1_000_000));
                } else if (processIo(0) == 0) {
                    // A selector waits whole milliseconds, too coarse for even spacing.
                    LockSupport.parkNanos(Math.min(FINE_WAIT_NANOS, due - System.nanoTime()));
                }
            }
            while (trySend(1) == 0) {
                processIo(TICK_MILLIS);
            }
        }
    }

    /** Sends this many messages from the next sender, if window and buffer have room for all of them. */
    private int trySend(int messages) {
        int sender = nextSender;
        LoadGeneratorConnection connection = connections.get(sender);
        if (largestBacklog() + messages > window || connection.sendCapacity() < messages) {
            return 0;
        }
        nextSender = (sender + 1) % senders;
        try {
            connection.send(messages);
        } catch (IOException e) {
            throw connectionLost(connection, e);
        }
        return messages;
    }

    private long sent() {
        long sent = 0;
        for (int i = 0; i < senders; i++) {
            sent += connections.get(i).sentCount();
        }
        return sent;
    }

    private long received() {
        long received = 0;
        for (LoadGeneratorConnection connection : connections) {
            received += connection.receivedCount();
        }
        return received;
    }

    /** The number of messages that a connection has still to receive; senders do not receive their own. */
    private long backlogOf(int index, long sent) {
        LoadGeneratorConnection connection = connections.get(index);
        return sent - connection.sentCount() - connection.receivedCount();
    }

    private long largestBacklog() {
        long sent = sent();
        long furthest = 0;
        for (int i = 0; i < connections.size(); i++) {
            furthest = Math.max(furthest, backlogOf(i, sent));
        }
        return furthest;
    }

    private String describeMissing() {
        long sent = sent();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < connections.size(); i++) {
            if (backlogOf(i, sent) != 0) {
                missing.add(connections.get(i).name() + " " + backlogOf(i, sent));
            }
        }
        return "not all of " + sent + " messages arrived; missing: " + String.join(", ", missing);
    }

    /** Reads and writes as far as possible; returns the number of connections that had something to do. */
    private int processIo(int millis) {
        try {
            return millis == 0 ? selector.selectNow(this::onReady) : selector.select(this::onReady, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void processIoUntil(BooleanSupplier done, Supplier<String> complaint) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new RunFailedException(complaint.get() + " (waited " + TIMEOUT.toSeconds() + " s)");
            }
            processIo(TICK_MILLIS);
        }
    }

    private void onReady(SelectionKey key) {
        LoadGeneratorConnection connection = (LoadGeneratorConnection) key.attachment();
        try {
            if (key.isReadable()) {
                connection.read(shared);
            }
            if (key.isWritable()) {
                connection.flush();
            }
        } catch (IOException e) {
            throw connectionLost(connection, e);
        }
    }

    private static RunFailedException connectionLost(LoadGeneratorConnection connection, IOException e) {
        return new RunFailedException(connection.name() + ": the connection was lost: " + e.getMessage(), e);
    }

    @Override
    public void close() throws IOException {
        for (LoadGeneratorConnection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
