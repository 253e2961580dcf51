package dev.gavel.mcp.client;

import dev.gavel.mcp.client.ServerSentEventReader.Cursor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges messages with an MCP server over HTTP+SSE, the transport of MCP 2024-11-05: the server sends all its messages
 * on one event stream, and the first event is the URL for the client's messages. When the stream ends, the session has
 * ended. Thread-safe.
 */
final class SseHttpTransport {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttpTransport.class);
    private static final Duration ENDPOINT_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_SHOWN_LENGTH = 200;

    private final HttpTransportContext context;

    /** The URL for the client's messages; empty if the server offers no such stream. */
    private final CompletableFuture<Optional<URI>> messageUrl = new CompletableFuture<>();

    private final Thread reader;
    private volatile boolean closed;

    private SseHttpTransport(HttpTransportContext context) {
        this.context = context;
        this.reader = context.newThread("sse", this::read);
    }

    /**
     * Opens the event stream. Blocks until the server has named the URL for messages.
     *
     * @return empty if the server does not offer this transport
     * @throws IOException if the server names a URL that must not receive the client's messages
     */
    static Optional<SseHttpTransport> open(HttpTransportContext context) throws IOException, InterruptedException {
        SseHttpTransport transport = new SseHttpTransport(context);
        transport.reader.start();
        boolean opened = false;
        try {
            opened = transport
                    .messageUrl
                    .get(ENDPOINT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .isPresent();
            return opened ? Optional.of(transport) : Optional.empty();
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException refusal ? refusal : new IOException(e.getCause());
        } finally {
            if (!opened) {
                transport.close();
            }
        }
    }

    /** Sends a message. The server's response arrives on the event stream. */
    void post(RpcMessage message, Optional<Duration> timeout) throws IOException, InterruptedException {
        URI url = messageUrl.join().orElseThrow(() -> new IOException("the server has named no URL for messages"));
        HttpResponse<InputStream> response = context.requestSender.post(url, message, Map.of(), timeout);
        try (InputStream body = response.body()) {
            if (response.statusCode() >= 300) {
                context.fail(message, response, body);
            } else {
                // A connection can be used again only if its response was read.
                body.readNBytes(HttpErrorMapper.MAX_BODY_LENGTH);
            }
        }
    }

    /** Closes the event stream, which ends the session at the server. */
    void close() {
        closed = true;
        messageUrl.complete(Optional.empty());
        reader.interrupt();
    }

    private void read() {
        try {
            HttpResponse<InputStream> response = context.requestSender.get(Map.of());
            try (InputStream body = response.body()) {
                if (McpHttpRequestSender.isStream(response)) {
                    readEvents(context.newEventReader(body, new Cursor()));
                }
            }
        } catch (IOException e) {
            log.debug("Bridge {}: the event stream broke: {}", context.name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("Bridge {}: a message from the server could not be processed.", context.name, e);
        } finally {
            boolean streamed = isOpen();
            messageUrl.complete(Optional.empty());
            if (streamed && !closed) {
                context.connectionListener().onSessionExpired(Optional.empty());
            }
        }
    }

    private boolean isOpen() {
        return messageUrl.isDone()
                && !messageUrl.isCompletedExceptionally()
                && messageUrl.join().isPresent();
    }

    private void readEvents(ServerSentEventReader events) throws IOException {
        ServerSentEventReader.Event first = events.next();
        if (!(first instanceof ServerSentEventReader.Event.Complete complete)
                || !complete.type().equals("endpoint")) {
            return;
        }
        String endpoint = new String(complete.data(), StandardCharsets.UTF_8);
        Optional<URI> url = sameOriginUrl(context.httpServerTarget.url(), endpoint);
        if (url.isEmpty()) {
            messageUrl.completeExceptionally(new IOException("the server at " + context.httpServerTarget.redactedUrl()
                    + " wants to receive messages at another address, which is not allowed: "
                    + SafeText.brief(endpoint.replaceAll("[?#].*", ""), MAX_SHOWN_LENGTH)));
            return;
        }
        messageUrl.complete(url);
        for (ServerSentEventReader.Event event = events.next(); event != null; event = events.next()) {
            context.read(event, null).ifPresent(context::deliver);
        }
    }

    /**
     * Returns the URL that an {@code endpoint} event names; empty if it has another origin than the configured URL.
     * Messages carry the configured headers, which may hold secrets.
     */
    static Optional<URI> sameOriginUrl(URI base, String endpoint) {
        try {
            URI url = base.resolve(endpoint.strip());
            return origin(url).equals(origin(base)) && url.getUserInfo() == null ? Optional.of(url) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String origin(URI url) {
        String scheme = lowerCase(url.getScheme());
        int port = url.getPort() >= 0 ? url.getPort() : scheme.equals("https") ? 443 : 80;
        return scheme + "://" + lowerCase(url.getHost()) + ":" + port;
    }

    private static String lowerCase(@Nullable String text) {
        return String.valueOf(text).toLowerCase(Locale.ROOT);
    }
}
