package dev.gavel.client.link;

import dev.gavel.client.http.Access;
import dev.gavel.client.http.RemoteGateway;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/** The way into a topic, taken once for every connection. Thread-safe. */
final class Door implements AutoCloseable {
    private final RemoteGateway gateway;
    private final String query;

    /** Redirects are not followed: a token goes where its owner said, and nowhere else. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    Door(RemoteGateway gateway, String topic, boolean directed) {
        this.gateway = gateway;
        this.query = "/ws?topic=" + topic + (directed ? "&mode=directed" : "");
    }

    /** Opens the first line, at whichever address one can be opened. */
    Line openAny(BiConsumer<Line, String> heard) throws Line.NotOpened, InterruptedException {
        for (int left = gateway.access().urls().size(); ; left--) {
            try {
                return open(OptionalLong.empty(), heard);
            } catch (Line.NotOpened e) {
                if (left <= 1 || Ending.ofStatus(e.status()).isPresent()) {
                    throw e;
                }
            }
        }
    }

    /**
     * Opens a line, which hears nothing before it is started. Where that cannot be, the gateway's next address is the one
     * to try.
     */
    Line open(OptionalLong since, BiConsumer<Line, String> heard) throws Line.NotOpened, InterruptedException {
        Access access = gateway.access();
        try {
            return Line.open(client, access, query + (since.isPresent() ? "&since=" + since.getAsLong() : ""), heard);
        } catch (Line.NotOpened e) {
            gateway.turn(access);
            throw e;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
