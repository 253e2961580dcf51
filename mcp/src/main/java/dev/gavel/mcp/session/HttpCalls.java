package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Message;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The requests that Streamable HTTP is made of, each with what the session so far makes of it. Thread-safe. */
final class HttpCalls {
    private static final Duration CONNECTING = Duration.ofSeconds(15);
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final Endpoint endpoint;
    private final HttpClient client;
    private volatile @Nullable String session;
    private volatile @Nullable String version;

    HttpCalls(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECTING)
                // Elsewhere our secrets have no business.
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(
                        "https".equals(endpoint.url().getScheme())
                                ? HttpClient.Version.HTTP_2
                                : HttpClient.Version.HTTP_1_1)
                .build();
    }

    /** Whether the server has given us a session. */
    boolean hasSession() {
        return session != null;
    }

    void session(@Nullable String id) {
        session = id;
    }

    void version(@Nullable String spoken) {
        version = spoken;
    }

    /** Sends a message. */
    HttpResponse<InputStream> post(Message message, Optional<Duration> patience)
            throws IOException, InterruptedException {
        HttpRequest.Builder builder = request()
                .setHeader("Content-Type", "application/json")
                .setHeader("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(message.bytes()));
        patience.ifPresent(builder::timeout);
        return client.send(builder.build(), BodyHandlers.ofInputStream());
    }

    /**
     * Asks for a stream of events.
     *
     * @param last the last that was seen, to go on after it
     */
    HttpResponse<InputStream> get(Optional<String> last) throws IOException, InterruptedException {
        HttpRequest.Builder builder =
                request().setHeader("Accept", "text/event-stream").GET();
        last.ifPresent(id -> builder.setHeader("Last-Event-ID", id));
        return client.send(builder.build(), BodyHandlers.ofInputStream());
    }

    static boolean isStream(HttpResponse<?> response) {
        return response.statusCode() == 200
                && response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
    }

    private HttpRequest.Builder request() {
        HttpRequest.Builder builder = HttpRequest.newBuilder(endpoint.url());
        endpoint.headers().forEach(builder::setHeader);
        String current = session;
        if (current != null) {
            builder.setHeader("Mcp-Session-Id", current);
        }
        String spoken = version;
        if (spoken != null) {
            builder.setHeader("MCP-Protocol-Version", spoken);
        }
        return builder;
    }

    /** Ends the session, as far as there is one and the server lets us, and everything under way. */
    void close() throws IOException, InterruptedException {
        try {
            if (hasSession()) {
                client.send(request().DELETE().timeout(FAREWELL).build(), BodyHandlers.discarding());
            }
        } finally {
            client.shutdownNow();
        }
    }
}
