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
    /** How long one may take to answer, the last byte included. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final URI address;
    private final OtlpHeaders headers;
    private final Duration timeout;
    private @Nullable HttpClient client;

    /**
     * A collector that has not been spoken to.
     *
     * @param base where it is, without {@code /v1/traces}
     * @param headers what to send along
     * @param patience how long it may take to answer
     */
    OtlpClient(URI base, OtlpHeaders headers, Duration patience) {
        this.address = URI.create(base.toString().replaceAll("/+$", "") + "/v1/traces");
        this.headers = headers;
        this.timeout = patience;
    }

    /** What a collector says to spans. */
    enum SendResult {
        ACCEPTED,
        /** It will never take these. */
        REFUSED,
        /** It may take them later. */
        RETRY_LATER
    }

    /** The address, which holds no secret. */
    URI address() {
        return address;
    }

    /** Sends spans. */
    SendResult send(List<TraceSpan> spans) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(OtlpJsonWriter.encode(spans)));
        headers.addTo(request);
        CompletableFuture<HttpResponse<Void>> coming =
                client().sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
        try {
            // A request's own time limit ends with the answer's head; a body that never ends must not hold us either.
            int status = coming.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
            return switch (status) {
                case 429, 502, 503, 504 -> SendResult.RETRY_LATER;
                default -> status / 100 == 2 ? SendResult.ACCEPTED : SendResult.REFUSED;
            };
        } catch (ExecutionException | TimeoutException e) {
            return SendResult.RETRY_LATER;
        } finally {
            coming.cancel(true);
        }
    }

    /** Made when it is first needed: it takes a good part of a start. */
    private HttpClient client() {
        HttpClient known = client;
        if (known == null) {
            known = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(timeout)
                    .build();
            client = known;
        }
        return known;
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
