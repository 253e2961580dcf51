package dev.gavel.gateway.bus.nats;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.transport.BusConnection;
import dev.gavel.gateway.bus.transport.BusDisconnectReason;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.Dispatcher;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a NATS server; once lost it is not reopened, and the {@link NatsBusTransport} opens a new one.
 * Thread-safe.
 */
final class NatsBusConnection implements BusConnection, ConnectionListener, ErrorListener {
    /** A server that does not respond for this long is considered lost. */
    static final Duration SERVER_TIMEOUT = Duration.ofMillis(2_500);

    private static final long PING_MILLIS = 1_000;

    /** Limits on the bytes that may wait to be sent, and on the bytes and messages that may wait to be processed. */
    private static final long MOST_BYTES = 16L << 20;

    private static final long MOST_HEARD_BYTES = 64L << 20;
    private static final long MOST_HEARD = 200_000;

    private final String prefix;
    private final NatsSendBacklog sendBacklog = new NatsSendBacklog(MOST_BYTES);
    private final CompletableFuture<ConnectionLoss> connectionLoss = new CompletableFuture<>();
    private volatile @Nullable String lastError;
    private @Nullable Connection connection;
    private @Nullable Dispatcher dispatcher;
    private int limit;

    /**
     * The loss of the connection.
     *
     * @param forbidden whether the server denies this process a permission that it needs
     */
    record ConnectionLoss(BusDisconnectReason cause, String reason, boolean forbidden) {}

    NatsBusConnection(String prefix) {
        this.prefix = prefix + ".";
    }

    /**
     * Connects. Called once.
     *
     * @param heard takes each message with its channel
     */
    void open(Options.Builder options, BiConsumer<String, byte[]> heard) throws IOException, InterruptedException {
        Connection made = Nats.connect(options.connectionListener(this)
                .errorListener(this)
                .statisticsCollector(sendBacklog)
                .build());
        connection = made;
        limit = (int) Math.min(Integer.MAX_VALUE, made.getMaxPayload());
        dispatcher = made.createDispatcher(
                message -> heard.accept(message.getSubject().substring(prefix.length()), message.getData()));
        dispatcher.setPendingLimits(MOST_HEARD, MOST_HEARD_BYTES);
    }

    void subscribe(String channel) {
        Dispatcher open = dispatcher;
        if (open != null && !connectionLoss.isDone()) {
            try {
                open.subscribe(prefix + channel);
            } catch (IllegalStateException e) {
                markLost(BusDisconnectReason.BROKEN, String.valueOf(e.getMessage()));
            }
        }
    }

    void unsubscribe(String channel) {
        Dispatcher open = dispatcher;
        if (open != null && !connectionLoss.isDone()) {
            try {
                open.unsubscribe(prefix + channel);
            } catch (IllegalStateException e) {
                markLost(BusDisconnectReason.BROKEN, String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public BusSendResult send(String channel, byte[] message) {
        Connection open = connection;
        if (message.length > limit) {
            return BusSendResult.TOO_LARGE;
        }
        if (open == null || connectionLoss.isDone()) {
            return BusSendResult.UNAVAILABLE;
        }
        String subject = prefix + channel;
        int bytes = message.length + subject.length();
        if (!sendBacklog.tryReserve(bytes)) {
            return BusSendResult.UNAVAILABLE;
        }
        try {
            open.publish(subject, message);
            return BusSendResult.SENT;
        } catch (IllegalStateException e) {
            sendBacklog.release(bytes);
            return BusSendResult.UNAVAILABLE;
        } catch (IllegalArgumentException e) {
            // The server accepts smaller messages than when the connection was made.
            sendBacklog.release(bytes);
            return BusSendResult.TOO_LARGE;
        }
    }

    @Override
    public void closeOverrun() {
        markLost(BusDisconnectReason.OVERRUN, "more came than the topics of this process could take in time");
    }

    @Override
    public int maxMessageBytes() {
        return limit;
    }

    boolean isLost() {
        return connectionLoss.isDone();
    }

    /** Waits until the server has processed everything sent to it so far. */
    void awaitServer() throws IOException {
        Connection open = connection;
        if (open == null) {
            throw new IOException("not connected");
        }
        try {
            open.RTT();
        } catch (IllegalStateException e) {
            // The client throws this if the connection is lost during the wait.
            throw new IOException("the connection was closed", e);
        }
        ConnectionLoss already = connectionLoss.getNow(null);
        if (already != null) {
            throw new IOException(already.reason());
        }
    }

    /** Waits until the connection is lost, and returns the reason. Pings the server meanwhile. */
    ConnectionLoss awaitLoss() throws InterruptedException {
        while (true) {
            try {
                return connectionLoss.get(PING_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                ping();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void ping() throws InterruptedException {
        long taken = sendBacklog.reservedTotal();
        try {
            awaitServer();
            sendBacklog.onWritten(taken);
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            markLost(BusDisconnectReason.BROKEN, "the server did not answer for " + SERVER_TIMEOUT.toMillis() + " ms");
        }
    }

    /** The last error reported; null if there is none. */
    @Nullable
    String lastError() {
        return lastError;
    }

    Iterable<String> servers() {
        Connection open = connection;
        return open == null ? List.of() : open.getServers();
    }

    String server() {
        Connection open = connection;
        String url = open == null ? null : open.getConnectedUrl();
        return url == null ? "NATS" : url.replaceFirst("^([a-z]+://)?([^@/]*@)?", "");
    }

    /** Sends what is waiting, as far as possible within the timeout, and closes the connection. */
    void closeGracefully(Duration patience) {
        Connection open = connection;
        if (open != null) {
            Thread flushing = Thread.ofVirtual().start(() -> {
                try {
                    awaitServer();
                } catch (IOException e) {
                    // The connection is closed without flushing.
                }
            });
            try {
                flushing.join(patience);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        closeNow();
    }

    /** Closes the connection at once; messages that wait to be sent are discarded. */
    void closeNow() {
        markLost(BusDisconnectReason.BROKEN, "closed");
        Connection open = connection;
        if (open != null) {
            // Closing waits for the client's threads, for seconds if they are stuck.
            Thread.ofVirtual().start(() -> {
                try {
                    open.close();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private void markLost(BusDisconnectReason busDisconnectReason, String reason) {
        connectionLoss.complete(new ConnectionLoss(busDisconnectReason, reason, false));
    }

    @Override
    @Deprecated
    public void connectionEvent(Connection about, Events type) {
        if (type == Events.DISCONNECTED || type == Events.CLOSED) {
            String known = lastError;
            markLost(BusDisconnectReason.BROKEN, known == null ? "the connection was closed" : known);
        }
    }

    @Override
    public void errorOccurred(Connection about, String error) {
        lastError = "the server says: " + error;
        if (error.toLowerCase(Locale.ROOT).startsWith("permissions violation")) {
            connectionLoss.complete(new ConnectionLoss(BusDisconnectReason.BROKEN, "the server says: " + error, true));
        }
    }

    @Override
    public void exceptionOccurred(Connection about, Exception failure) {
        if (lastError == null) {
            Throwable cause = failure;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            lastError = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        }
    }

    @Override
    public void slowConsumerDetected(Connection about, Consumer consumer) {
        markLost(
                BusDisconnectReason.OVERRUN,
                "more came than this process could take in time (" + consumer.getPendingMessageCount()
                        + " messages waited)");
    }
}
