package dev.gavel.app.trace;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A collector that takes spans by OTLP over HTTP. Used by one thread. */
final class Collector implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final URI address;
    private final Map<String, String> headers;
    private @Nullable HttpClient client;

    /**
     * A collector that has not been spoken to.
     *
     * @param base where it is, without {@code /v1/traces}
     * @param headers what to send along, {@code name=value} by commas, as {@code OTEL_EXPORTER_OTLP_HEADERS} has it; may
     *     hold a secret
     */
    Collector(URI base, String headers) {
        this.address = URI.create(base.toString().replaceAll("/+$", "") + "/v1/traces");
        this.headers = parsed(headers);
    }

    /** What a collector says to spans. */
    enum Answer {
        TAKEN,
        /** It will never take these. */
        REFUSED,
        /** It may take them later. */
        LATER
    }

    /** The address, which holds no secret. */
    URI address() {
        return address;
    }

    /** Sends spans. */
    Answer send(List<Span> spans) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Otlp.json(spans)));
        headers.forEach(request::setHeader);
        try {
            int status = client().send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            return switch (status) {
                case 429, 502, 503, 504 -> Answer.LATER;
                default -> status / 100 == 2 ? Answer.TAKEN : Answer.REFUSED;
            };
        } catch (IOException e) {
            return Answer.LATER;
        }
    }

    /** Made when it is first needed: it takes a good part of a start. */
    private HttpClient client() {
        HttpClient known = client;
        if (known == null) {
            known = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(PATIENCE)
                    .build();
            client = known;
        }
        return known;
    }

    private static Map<String, String> parsed(String headers) {
        Map<String, String> parsed = new LinkedHashMap<>();
        for (String header : headers.split(",", -1)) {
            int equals = header.indexOf('=');
            if (equals > 0) {
                parsed.put(
                        header.substring(0, equals).strip(),
                        URLDecoder.decode(header.substring(equals + 1).strip(), StandardCharsets.UTF_8));
            }
        }
        return parsed;
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
