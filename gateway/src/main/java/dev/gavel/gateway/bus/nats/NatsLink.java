package dev.gavel.gateway.bus.nats;

import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.wire.Link;
import dev.gavel.gateway.bus.wire.Loss;
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

/** One connection to NATS, from its making to its loss; it never comes back. Thread-safe. */
final class NatsLink implements Link, ConnectionListener, ErrorListener {
    /** A server that does not answer for so long is lost. */
    static final Duration PATIENCE = Duration.ofMillis(2_500);

    private static final long PING_MILLIS = 1_000;

    /** What may wait to be sent, and to be heard. */
    private static final long MOST_BYTES = 16L << 20;

    private static final long MOST_HEARD_BYTES = 64L << 20;
    private static final long MOST_HEARD = 200_000;

    private final String prefix;
    private final Backlog backlog = new Backlog(MOST_BYTES);
    private final CompletableFuture<Lost> lost = new CompletableFuture<>();
    private volatile @Nullable String trouble;
    private @Nullable Connection connection;
    private @Nullable Dispatcher dispatcher;
    private int limit;

    /**
     * That it is lost.
     *
     * @param forbidden whether the server does not let this process do what it must
     */
    record Lost(Loss loss, String reason, boolean forbidden) {}

    NatsLink(String prefix) {
        this.prefix = prefix + ".";
    }

    /**
     * Connects; once.
     *
     * @param heard takes what comes, with its channel
     */
    void open(Options.Builder options, BiConsumer<String, byte[]> heard) throws IOException, InterruptedException {
        Connection made = Nats.connect(options.connectionListener(this)
                .errorListener(this)
                .statisticsCollector(backlog)
                .build());
        connection = made;
        limit = (int) Math.min(Integer.MAX_VALUE, made.getMaxPayload());
        dispatcher = made.createDispatcher(
                message -> heard.accept(message.getSubject().substring(prefix.length()), message.getData()));
        dispatcher.setPendingLimits(MOST_HEARD, MOST_HEARD_BYTES);
    }

    void listen(String channel) {
        Dispatcher open = dispatcher;
        if (open != null && !lost.isDone()) {
            try {
                open.subscribe(prefix + channel);
            } catch (IllegalStateException e) {
                lose(Loss.BROKEN, String.valueOf(e.getMessage()));
            }
        }
    }

    void ignore(String channel) {
        Dispatcher open = dispatcher;
        if (open != null && !lost.isDone()) {
            try {
                open.unsubscribe(prefix + channel);
            } catch (IllegalStateException e) {
                lose(Loss.BROKEN, String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public Sent send(String channel, byte[] message) {
        Connection open = connection;
        if (message.length > limit) {
            return Sent.TOO_LARGE;
        }
        if (open == null || lost.isDone()) {
            return Sent.AWAY;
        }
        String subject = prefix + channel;
        int bytes = message.length + subject.length();
        if (!backlog.take(bytes)) {
            return Sent.AWAY;
        }
        try {
            open.publish(subject, message);
            return Sent.SENT;
        } catch (IllegalStateException e) {
            backlog.giveBack(bytes);
            return Sent.AWAY;
        } catch (IllegalArgumentException e) {
            // The server takes less than it did when the connection was made.
            backlog.giveBack(bytes);
            return Sent.TOO_LARGE;
        }
    }

    @Override
    public void overrun() {
        lose(Loss.OVERRUN, "more came than the topics of this process could take in time");
    }

    @Override
    public int limit() {
        return limit;
    }

    boolean isLost() {
        return lost.isDone();
    }

    /** Waits until the server has done what it was told so far. */
    void settle() throws IOException {
        Connection open = connection;
        if (open == null) {
            throw new IOException("not connected");
        }
        try {
            open.RTT();
        } catch (IllegalStateException e) {
            // That is how the client ends a wait where the connection is lost meanwhile.
            throw new IOException("the connection was closed", e);
        }
        Lost already = lost.getNow(null);
        if (already != null) {
            throw new IOException(already.reason());
        }
    }

    /** Waits until it is lost, and says why; asks the server all the while whether it is there. */
    Lost keep() throws InterruptedException {
        while (true) {
            try {
                return lost.get(PING_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                ping();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void ping() throws InterruptedException {
        long taken = backlog.taken();
        try {
            settle();
            backlog.written(taken);
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            lose(Loss.BROKEN, "the server did not answer for " + PATIENCE.toMillis() + " ms");
        }
    }

    /** What is wrong, by the last that was heard. */
    @Nullable
    String trouble() {
        return trouble;
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

    /** Sends what waits, as far as that goes within the time, and ends. */
    void finish(Duration patience) {
        Connection open = connection;
        if (open != null) {
            Thread flushing = Thread.ofVirtual().start(() -> {
                try {
                    settle();
                } catch (IOException e) {
                    // Whoever waits for it does without.
                }
            });
            try {
                flushing.join(patience);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        drop();
    }

    /** Ends at once; whatever waits to be sent is not. */
    void drop() {
        lose(Loss.BROKEN, "closed");
        Connection open = connection;
        if (open != null) {
            // It waits for threads of its own, for seconds where they are stuck.
            Thread.ofVirtual().start(() -> {
                try {
                    open.close();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private void lose(Loss loss, String reason) {
        lost.complete(new Lost(loss, reason, false));
    }

    @Override
    @Deprecated
    public void connectionEvent(Connection about, Events type) {
        if (type == Events.DISCONNECTED || type == Events.CLOSED) {
            String known = trouble;
            lose(Loss.BROKEN, known == null ? "the connection was closed" : known);
        }
    }

    @Override
    public void errorOccurred(Connection about, String error) {
        trouble = "the server says: " + error;
        if (error.toLowerCase(Locale.ROOT).startsWith("permissions violation")) {
            lost.complete(new Lost(Loss.BROKEN, "the server says: " + error, true));
        }
    }

    @Override
    public void exceptionOccurred(Connection about, Exception failure) {
        if (trouble == null) {
            Throwable cause = failure;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            trouble = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        }
    }

    @Override
    public void slowConsumerDetected(Connection about, Consumer consumer) {
        lose(
                Loss.OVERRUN,
                "more came than this process could take in time (" + consumer.getPendingMessageCount()
                        + " messages waited)");
    }
}
