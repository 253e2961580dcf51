package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcMessage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Sends the POST, GET and DELETE requests with which the HTTP transports talk to an MCP server. Thread-safe. */
final class McpHttpRequestSender {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(2);

    private final HttpServerTarget endpoint;
    private final HttpClient client;

    McpHttpRequestSender(HttpServerTarget endpoint) {
        this.endpoint = endpoint;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                // A redirect must not send the secret headers to another host.
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(
                        "https".equals(endpoint.url().getScheme())
                                ? HttpClient.Version.HTTP_2
                                : HttpClient.Version.HTTP_1_1)
                .build();
    }

    /** Sends a message. */
    HttpResponse<InputStream> post(RpcMessage message, Map<String, String> headers, Optional<Duration> timeout)
            throws IOException, InterruptedException {
        return post(endpoint.url(), message, headers, timeout);
    }

    /** Sends a message to another URL of the same server. */
    HttpResponse<InputStream> post(URI url, RpcMessage message, Map<String, String> headers, Optional<Duration> timeout)
            throws IOException, InterruptedException {
        HttpRequest.Builder builder = request(url, headers)
                .setHeader("Content-Type", "application/json")
                .setHeader("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(message.bytes()));
        timeout.ifPresent(builder::timeout);
        return client.send(builder.build(), BodyHandlers.ofInputStream());
    }

    /** Requests an event stream. */
    HttpResponse<InputStream> get(Map<String, String> headers) throws IOException, InterruptedException {
        return client.send(
                request(endpoint.url(), headers)
                        .setHeader("Accept", "text/event-stream")
                        .GET()
                        .build(),
                BodyHandlers.ofInputStream());
    }

    /** Ends a session at the server. */
    void delete(Map<String, String> headers) throws IOException, InterruptedException {
        client.send(
                request(endpoint.url(), headers)
                        .DELETE()
                        .timeout(DELETE_TIMEOUT)
                        .build(),
                BodyHandlers.discarding());
    }

    static boolean isStream(HttpResponse<?> response) {
        return response.statusCode() == 200 && contentType(response).startsWith("text/event-stream");
    }

    /** Returns the content type of a response, or an empty text if there is none. */
    static String contentType(HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    private HttpRequest.Builder request(URI url, Map<String, String> headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(url);
        endpoint.headers().forEach(builder::setHeader);
        headers.forEach(builder::setHeader);
        return builder;
    }

    /** Aborts all open requests. */
    void close() {
        client.shutdownNow();
    }
}
