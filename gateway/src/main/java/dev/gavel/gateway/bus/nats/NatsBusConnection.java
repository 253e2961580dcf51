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
 * One connection to a NATS server; when it is lost, {@code NatsBusTransport} opens a new one instead of reopening it.
 * Thread-safe.
 */
final class NatsBusConnection implements BusConnection, ConnectionListener, ErrorListener {
    /** A server that does not respond for this long is considered lost. */
    static final Duration SERVER_TIMEOUT = Duration.ofMillis(2_500);

    private static final long PING_MILLIS = 1_000;

    /** Limits on the bytes that may wait to be sent, and on the bytes and messages that may wait to be processed. */
    private static final long MAX_BACKLOG_BYTES = 16L << 20;

    private static final long MAX_PENDING_BYTES = 64L << 20;
    private static final long MAX_PENDING_MESSAGES = 200_000;

    private final String prefix;
    private final NatsSendLimiter sendLimiter = new NatsSendLimiter(MAX_BACKLOG_BYTES);
    private final CompletableFuture<ConnectionLoss> connectionLoss = new CompletableFuture<>();
    private volatile @Nullable String lastError;
    private @Nullable Connection connection;
    private @Nullable Dispatcher dispatcher;
    private int maxMessageBytes;

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
     * @param messageHandler takes each message with its channel
     */
    void open(Options.Builder options, BiConsumer<String, byte[]> messageHandler)
            throws IOException, InterruptedException {
        Connection newConnection = Nats.connect(options.connectionListener(this)
                .errorListener(this)
                .statisticsCollector(sendLimiter)
                .build());
        connection = newConnection;
        maxMessageBytes = (int) Math.min(Integer.MAX_VALUE, newConnection.getMaxPayload());
        dispatcher = newConnection.createDispatcher(
                message -> messageHandler.accept(message.getSubject().substring(prefix.length()), message.getData()));
        dispatcher.setPendingLimits(MAX_PENDING_MESSAGES, MAX_PENDING_BYTES);
    }

    void subscribe(String channel) {
        Dispatcher current = dispatcher;
        if (current != null && !connectionLoss.isDone()) {
            try {
                current.subscribe(prefix + channel);
            } catch (IllegalStateException e) {
                markLost(BusDisconnectReason.BROKEN, String.valueOf(e.getMessage()));
            }
        }
    }

    void unsubscribe(String channel) {
        Dispatcher current = dispatcher;
        if (current != null && !connectionLoss.isDone()) {
            try {
                current.unsubscribe(prefix + channel);
            } catch (IllegalStateException e) {
                markLost(BusDisconnectReason.BROKEN, String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public BusSendResult send(String channel, byte[] message) {
        Connection current = connection;
        if (message.length > maxMessageBytes) {
            return BusSendResult.TOO_LARGE;
        }
        if (current == null || connectionLoss.isDone()) {
            return BusSendResult.UNAVAILABLE;
        }
        String subject = prefix + channel;
        int bytes = message.length + subject.length();
        if (!sendLimiter.tryReserve(bytes)) {
            return BusSendResult.UNAVAILABLE;
        }
        try {
            current.publish(subject, message);
            return BusSendResult.SENT;
        } catch (IllegalStateException e) {
            sendLimiter.release(bytes);
            return BusSendResult.UNAVAILABLE;
        } catch (IllegalArgumentException e) {
            // The server accepts smaller messages than when the connection was made.
            sendLimiter.release(bytes);
            return BusSendResult.TOO_LARGE;
        }
    }

    @Override
    public void closeOverrun() {
        markLost(
                BusDisconnectReason.OVERRUN,
                "messages arrived faster than the topics of this process could handle them");
    }

    @Override
    public int maxMessageBytes() {
        return maxMessageBytes;
    }

    boolean isLost() {
        return connectionLoss.isDone();
    }

    /** Waits until the server has processed everything sent to it so far. */
    void awaitServer() throws IOException {
        Connection current = connection;
        if (current == null) {
            throw new IOException("not connected");
        }
        try {
            current.RTT();
        } catch (IllegalStateException e) {
            // The client throws this if the connection is lost during the wait.
            throw new IOException("the connection was closed", e);
        }
        ConnectionLoss loss = connectionLoss.getNow(null);
        if (loss != null) {
            throw new IOException(loss.reason());
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
        long reservedBefore = sendLimiter.reservedTotal();
        try {
            awaitServer();
            sendLimiter.onWritten(reservedBefore);
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            markLost(BusDisconnectReason.BROKEN, "the server did not respond for " + SERVER_TIMEOUT.toMillis() + " ms");
        }
    }

    /** The last error reported; null if there is none. */
    @Nullable
    String lastError() {
        return lastError;
    }

    Iterable<String> servers() {
        Connection current = connection;
        return current == null ? List.of() : current.getServers();
    }

    String server() {
        Connection current = connection;
        String url = current == null ? null : current.getConnectedUrl();
        return url == null ? "NATS" : url.replaceFirst("^([a-z]+://)?([^@/]*@)?", "");
    }

    /** Sends what is waiting, as far as possible within the timeout, and closes the connection. */
    void closeGracefully(Duration timeout) {
        Connection current = connection;
        if (current != null) {
            Thread flushThread = Thread.ofVirtual().start(() -> {
                try {
                    awaitServer();
                } catch (IOException e) {
                    // The connection is closed without flushing.
                }
            });
            try {
                flushThread.join(timeout);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        closeNow();
    }

    /** Closes the connection at once; messages that wait to be sent are discarded. */
    void closeNow() {
        markLost(BusDisconnectReason.BROKEN, "closed");
        Connection current = connection;
        if (current != null) {
            // Closing waits for the client's threads, for seconds if they are stuck.
            Thread.ofVirtual().start(() -> {
                try {
                    current.close();
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
    public void connectionEvent(Connection source, Events type) {
        if (type == Events.DISCONNECTED || type == Events.CLOSED) {
            String known = lastError;
            markLost(BusDisconnectReason.BROKEN, known == null ? "the connection was closed" : known);
        }
    }

    @Override
    public void errorOccurred(Connection source, String error) {
        lastError = "the server reported: " + error;
        if (error.toLowerCase(Locale.ROOT).startsWith("permissions violation")) {
            connectionLoss.complete(
                    new ConnectionLoss(BusDisconnectReason.BROKEN, "the server reported: " + error, true));
        }
    }

    @Override
    public void exceptionOccurred(Connection source, Exception failure) {
        if (lastError == null) {
            Throwable cause = failure;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            lastError = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        }
    }

    @Override
    public void slowConsumerDetected(Connection source, Consumer consumer) {
        markLost(
                BusDisconnectReason.OVERRUN,
                "messages arrived faster than this process could handle them (" + consumer.getPendingMessageCount()
                        + " messages were waiting)");
    }
}
