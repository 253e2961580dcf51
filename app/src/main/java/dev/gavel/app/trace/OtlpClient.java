package dev.gavel.app.trace;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends spans to an OpenTelemetry collector over OTLP/HTTP. Used by one thread. */
final class OtlpClient implements AutoCloseable {
    /** The time limit for a response, including its last byte. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final URI address;
    private final OtlpHeaders headers;
    private final Duration timeout;
    private @Nullable HttpClient client;

    /**
     * Creates a client; it does not connect yet.
     *
     * @param base the collector's URL, without {@code /v1/traces}
     * @param headers the additional request headers
     * @param timeLimit the time limit for a response
     */
    OtlpClient(URI base, OtlpHeaders headers, Duration timeLimit) {
        this.address = URI.create(base.toString().replaceAll("/+$", "") + "/v1/traces");
        this.headers = headers;
        this.timeout = timeLimit;
    }

    /** The collector's response to spans. */
    enum SendResult {
        ACCEPTED,
        /** The collector will never accept these spans. */
        REFUSED,
        /** The collector may accept these spans later. */
        RETRY_LATER
    }

    /** The URL, which contains no secret. */
    URI address() {
        return address;
    }

    SendResult send(List<TraceSpan> spans) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(OtlpJsonWriter.encode(spans)));
        headers.addTo(request);
        CompletableFuture<HttpResponse<Void>> response =
                client().sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
        try {
            // A request's timeout ends with the response headers; an endless body must not block this thread either.
            int status = response.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
            return switch (status) {
                case 429, 502, 503, 504 -> SendResult.RETRY_LATER;
                default -> status / 100 == 2 ? SendResult.ACCEPTED : SendResult.REFUSED;
            };
        } catch (ExecutionException | TimeoutException e) {
            return SendResult.RETRY_LATER;
        } finally {
            response.cancel(true);
        }
    }

    /** Creates the HTTP client at first use: it takes a large part of the startup time. */
    private HttpClient client() {
        HttpClient cachedClient = client;
        if (cachedClient == null) {
            cachedClient = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(timeout)
                    .build();
            client = cachedClient;
        }
        return cachedClient;
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
