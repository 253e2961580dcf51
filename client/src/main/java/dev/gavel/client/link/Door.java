package dev.gavel.client.link;

import dev.gavel.client.http.Access;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/** The way into a topic, taken once for every connection. Thread-safe. */
final class Door implements AutoCloseable {
    private final String query;

    /** Redirects are not followed: a token goes where its owner said, and nowhere else. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    Door(String topic, boolean directed) {
        this.query = "/ws?topic=" + topic + (directed ? "&mode=directed" : "");
    }

    /** Opens a line to a gateway, which hears nothing before it is started. */
    Line open(Access access, OptionalLong since, BiConsumer<Line, String> heard) throws Line.NotOpened, InterruptedException {
        String base = "ws" + access.url().toString().substring("http".length());
        URI uri = URI.create(base + query + (since.isPresent() ? "&since=" + since.getAsLong() : ""));
        return Line.open(client, uri, access.token().orElse(""), heard);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
