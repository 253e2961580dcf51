package dev.gavel.client.connection;

import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.mcpx.EnvelopeLimits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A single WebSocket to a gateway: opens it, reads and sends texts, pings when silent, and reports its end.
 * Thread-safe; it delivers received texts in order, by one thread at a time.
 */
final class GatewayWebSocket implements WebSocket.Listener {
    private static final int ABNORMAL = 1006;
    private static final int NORMAL_CLOSURE = 1000;
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    /** The silence after a received envelope before the client sends a ping. */
    private static final Duration PING_AFTER = Duration.ofSeconds(2);

    /** The silence after a pong before the next ping: longer than the interval at which a gateway pings. */
    private static final Duration PING_AFTER_PONG = Duration.ofSeconds(25);

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /** The largest envelope size that a gateway can be configured to accept; anything larger is not from a gateway. */
    private static final int MAX_ENVELOPE_LENGTH = 64 * 1024 * 1024;

    static final EnvelopeLimits LIMITS = new EnvelopeLimits(
            MAX_ENVELOPE_LENGTH,
            MAX_ENVELOPE_LENGTH,
            1000,
            5_000_000,
            1_000_000,
            1 << 20,
            10_000,
            100_000,
            100_000,
            1 << 20,
            1 << 20);

    private final GatewayEndpoint endpoint;
    private final BiConsumer<GatewayWebSocket, String> textListener;
    private final StringBuilder partialText = new StringBuilder();
    private final CompletableFuture<CloseStatus> closed = new CompletableFuture<>();
    private volatile long lastReceivedNanos = System.nanoTime();

    /** Whether a pong was received since the last envelope. */
    private volatile boolean pongReceived;

    private volatile @Nullable WebSocket socket;

    /** The last ping, completed once it is written. Confined to the thread in {@link #awaitClose}. */
    private CompletableFuture<?> lastPing = CompletableFuture.completedFuture(null);

    /** The close code and reason. */
    record CloseStatus(int code, String reason) {}

    /** Thrown when a WebSocket cannot be opened. */
    static final class OpenFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        OpenFailedException(String message, int status) {
            super(message);
            this.status = status;
        }

        /** Returns the HTTP status of the failed handshake; 0 if there was no response. */
        int status() {
            return status;
        }
    }

    private GatewayWebSocket(GatewayEndpoint gatewayEndpoint, BiConsumer<GatewayWebSocket, String> listener) {
        this.endpoint = gatewayEndpoint;
        this.textListener = listener;
    }

    /**
     * Opens a WebSocket, which delivers nothing before {@link #startReading}.
     *
     * @param path the path and query after the address
     */
    static GatewayWebSocket open(
            HttpClient client,
            GatewayEndpoint gatewayEndpoint,
            String path,
            BiConsumer<GatewayWebSocket, String> listener)
            throws OpenFailedException, InterruptedException {
        GatewayWebSocket gatewayWebSocket = new GatewayWebSocket(gatewayEndpoint, listener);
        CompletableFuture<WebSocket> future = client.newWebSocketBuilder()
                .connectTimeout(OPEN_TIMEOUT)
                .header("Authorization", "Bearer " + gatewayEndpoint.token().orElse(""))
                .buildAsync(
                        URI.create("ws" + gatewayEndpoint.url().toString().substring("http".length()) + path),
                        gatewayWebSocket);
        try {
            gatewayWebSocket.socket = future.get(OPEN_TIMEOUT.toMillis() * 2, TimeUnit.MILLISECONDS);
            return gatewayWebSocket;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof WebSocketHandshakeException handshake
                    ? new OpenFailedException(
                            "it responded with HTTP " + handshake.getResponse().statusCode(),
                            handshake.getResponse().statusCode())
                    : new OpenFailedException(describe(e.getCause()), 0);
        } catch (TimeoutException e) {
            future.cancel(true);
            throw new OpenFailedException(
                    "it did not respond within " + OPEN_TIMEOUT.multipliedBy(2).toSeconds() + " s", 0);
        } catch (InterruptedException e) {
            future.cancel(true);
            throw e;
        }
    }

    /** Returns the address of this WebSocket; the gateway's current address may be another one by now. */
    GatewayEndpoint endpoint() {
        return endpoint;
    }

    @Override
    public void onOpen(WebSocket opened) {
        // Reading starts only with startReading().
    }

    /** Starts to deliver received texts. */
    void startReading() {
        WebSocket from = socket;
        if (from != null) {
            from.request(1);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        pongReceived = false;
        lastReceivedNanos = System.nanoTime();
        partialText.append(part);
        if (partialText.length() > MAX_ENVELOPE_LENGTH) {
            abort("an envelope was too long");
            return null;
        }
        if (last) {
            String text = partialText.toString();
            partialText.setLength(0);
            textListener.accept(this, text);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        lastReceivedNanos = System.nanoTime();
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        pongReceived = true;
        lastReceivedNanos = System.nanoTime();
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(new CloseStatus(code, reason));
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closed.complete(new CloseStatus(ABNORMAL, "the connection failed: " + describe(error)));
    }

    /** Returns the exception's message, or its class name if it has none. */
    private static String describe(@Nullable Throwable error) {
        if (error == null) {
            return "unknown error";
        }
        String message = error.getMessage();
        return message == null || message.isBlank() ? error.getClass().getSimpleName() : message;
    }

    /** Sends a text and waits until it is written; returns false if that fails. */
    boolean send(String text) throws InterruptedException {
        WebSocket to = socket;
        if (to == null || closed.isDone()) {
            return false;
        }
        try {
            to.sendText(text, true).get(SEND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            abort("sending to the gateway failed");
            return false;
        } catch (TimeoutException e) {
            abort("the gateway did not accept data in time");
            return false;
        }
    }

    CompletableFuture<CloseStatus> closed() {
        return closed;
    }

    /**
     * Waits until the WebSocket is closed; called by one thread only. A gateway is never silent for long, so after
     * {@code longestSilence} the connection counts as lost.
     *
     * <p>The JDK's WebSocket does not reliably report that. If a connection ends while it delivers a text, it fails
     * internally without a notification. Then nothing is received any more, and the first write seems to succeed.
     * Therefore the client sends a ping when the connection is silent after an envelope; if the connection is dead,
     * writing fails soon.
     */
    CloseStatus awaitClose(Duration longestSilence) throws InterruptedException {
        while (true) {
            Duration silence = Duration.ofNanos(System.nanoTime() - lastReceivedNanos);
            Duration left = longestSilence.minus(silence);
            if (!left.isPositive()) {
                abort("the gateway sent nothing for " + longestSilence.toSeconds() + " s");
            } else if (silence.compareTo(pongReceived ? PING_AFTER_PONG : PING_AFTER) >= 0) {
                sendPing();
            }
            try {
                return closed.get(Math.clamp(left.toNanos(), 1, CHECK_INTERVAL.toNanos()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // Checks again whether something was received in the meantime.
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Sends a ping, unless the previous one is not written yet. */
    private void sendPing() {
        WebSocket to = socket;
        if (to != null && lastPing.isDone()) {
            lastPing = to.sendPing(ByteBuffer.allocate(0));
        }
        if (lastPing.isCompletedExceptionally()) {
            abort("sending to the gateway failed");
        }
    }

    /** Closes the connection without a close handshake. */
    void abort(String why) {
        WebSocket to = socket;
        if (to != null) {
            to.abort();
        }
        closed.complete(new CloseStatus(ABNORMAL, why));
    }

    /** Sends a close frame and waits up to 2 seconds for the reply. */
    void closeGracefully() {
        WebSocket to = socket;
        try {
            if (to != null && !closed.isDone()) {
                to.sendClose(NORMAL_CLOSURE, "").get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                closed.get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            // Already closed, or no reply: the connection is aborted in either case.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        abort("left");
    }
}
