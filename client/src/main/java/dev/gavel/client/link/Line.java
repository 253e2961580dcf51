package dev.gavel.client.link;

import dev.gavel.client.http.Access;
import dev.gavel.mcpx.Limits;
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
 * One WebSocket: opened, read without ever waiting for anybody, and ended once. Thread-safe; what it hears it hands on
 * by one thread at a time, in order.
 */
final class Line implements WebSocket.Listener {
    private static final int ABNORMAL = 1006;
    private static final int GOING = 1000;
    private static final Duration OPENING = Duration.ofSeconds(10);
    private static final Duration SENDING = Duration.ofSeconds(60);
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    /** How long it may be quiet after an envelope was heard, before it is asked whether it is still there. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    /** The same where it has answered since: longer than a gateway, which pings, ever is. */
    private static final Duration QUIET_SINCE_ANSWER = Duration.ofSeconds(25);

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** The longest envelope that a gateway can be told to take; what is larger than this is no gateway's. */
    private static final int LONGEST = 64 * 1024 * 1024;

    static final Limits LIMITS =
            new Limits(LONGEST, 1000, 5_000_000, 1_000_000, 1 << 20, 10_000, 100_000, 100_000, 1 << 20, 1 << 20);

    private final Access at;
    private final BiConsumer<Line, String> heard;
    private final StringBuilder text = new StringBuilder();
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private volatile long heardNanos = System.nanoTime();

    /** Whether a ping was answered since the last envelope. */
    private volatile boolean answered;

    private volatile @Nullable WebSocket socket;

    /** The last ping, done once the socket has taken it; known to whoever waits for the end alone. */
    private CompletableFuture<?> ping = CompletableFuture.completedFuture(null);

    /** How it ended. */
    record End(int code, String reason) {}

    /** It could not be opened. */
    static final class NotOpened extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        NotOpened(String message, int status) {
            super(message);
            this.status = status;
        }

        /** What the handshake was answered with; 0 where it was not. */
        int status() {
            return status;
        }
    }

    private Line(Access at, BiConsumer<Line, String> heard) {
        this.at = at;
        this.heard = heard;
    }

    /**
     * Opens one, which hears nothing before {@link #start}.
     *
     * @param path what follows the address, with what is asked for
     */
    static Line open(HttpClient client, Access at, String path, BiConsumer<Line, String> heard)
            throws NotOpened, InterruptedException {
        Line line = new Line(at, heard);
        CompletableFuture<WebSocket> opening = client.newWebSocketBuilder()
                .connectTimeout(OPENING)
                .header("Authorization", "Bearer " + at.token().orElse(""))
                .buildAsync(URI.create("ws" + at.url().toString().substring("http".length()) + path), line);
        try {
            line.socket = opening.get(OPENING.toMillis() * 2, TimeUnit.MILLISECONDS);
            return line;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof WebSocketHandshakeException handshake
                    ? new NotOpened(
                            "it answered with HTTP " + handshake.getResponse().statusCode(),
                            handshake.getResponse().statusCode())
                    : new NotOpened(words(e.getCause()), 0);
        } catch (TimeoutException e) {
            opening.cancel(true);
            throw new NotOpened(
                    "it did not answer within " + OPENING.multipliedBy(2).toSeconds() + " s", 0);
        } catch (InterruptedException e) {
            opening.cancel(true);
            throw e;
        }
    }

    /** Where it was opened: the gateway may be asked elsewhere by now. */
    Access at() {
        return at;
    }

    @Override
    public void onOpen(WebSocket opened) {
        // Whoever opened it says when to begin.
    }

    /** From here on it hands on what it hears. */
    void start() {
        WebSocket from = socket;
        if (from != null) {
            from.request(1);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        answered = false;
        heardNanos = System.nanoTime();
        text.append(part);
        if (text.length() > LONGEST) {
            cut("an envelope without end");
            return null;
        }
        if (last) {
            String whole = text.toString();
            text.setLength(0);
            heard.accept(this, whole);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        heardNanos = System.nanoTime();
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        answered = true;
        heardNanos = System.nanoTime();
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        end.complete(new End(code, reason));
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        end.complete(new End(ABNORMAL, "the connection broke: " + words(error)));
    }

    /** Not every exception says something; its name does then. */
    private static String words(@Nullable Throwable error) {
        if (error == null) {
            return "nobody says why";
        }
        String message = error.getMessage();
        return message == null || message.isBlank() ? error.getClass().getSimpleName() : message;
    }

    /** Sends a text and waits until the socket has taken it; false where it did not. */
    boolean send(String whole) throws InterruptedException {
        WebSocket to = socket;
        if (to == null || end.isDone()) {
            return false;
        }
        try {
            to.sendText(whole, true).get(SENDING.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            cut("it could not be written to");
            return false;
        } catch (TimeoutException e) {
            cut("it did not take what it was sent");
            return false;
        }
    }

    CompletableFuture<End> end() {
        return end;
    }

    /**
     * Waits for its end; for one thread. A gateway is never silent for long, so one that is has gone.
     *
     * <p>The JDK's WebSocket cannot be relied on to say so: where a connection ends while it hands something on, it fails
     * inside and tells nobody. Nothing is heard then, and the first thing that is written seems to arrive. So one that is
     * quiet after an envelope was heard is asked whether it is there; where nobody is, writing fails before long.
     */
    End untilEnd(Duration longestSilence) throws InterruptedException {
        while (true) {
            Duration silence = Duration.ofNanos(System.nanoTime() - heardNanos);
            Duration left = longestSilence.minus(silence);
            if (!left.isPositive()) {
                cut("nothing was heard for " + longestSilence.toSeconds() + " s");
            } else if (silence.compareTo(answered ? QUIET_SINCE_ANSWER : QUIET) >= 0) {
                ask();
            }
            try {
                return end.get(Math.clamp(left.toNanos(), 1, LOOK.toNanos()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // Looks whether something was heard meanwhile.
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Asks whether it is still there, unless it has yet to take that it was asked before. */
    private void ask() {
        WebSocket to = socket;
        if (to != null && ping.isDone()) {
            ping = to.sendPing(ByteBuffer.allocate(0));
        }
        if (ping.isCompletedExceptionally()) {
            cut("it could not be written to");
        }
    }

    /** Ends it without a word. */
    void cut(String why) {
        WebSocket to = socket;
        if (to != null) {
            to.abort();
        }
        end.complete(new End(ABNORMAL, why));
    }

    /** Takes leave, and waits a little for the answer. */
    void leave() {
        WebSocket to = socket;
        try {
            if (to != null && !end.isDone()) {
                to.sendClose(GOING, "").get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
                end.get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            // Gone already, or it does not answer: it is cut either way.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cut("left");
    }
}
