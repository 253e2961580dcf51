package dev.gavel.cli.review;

import dev.gavel.cli.RateLimitRetry;
import dev.gavel.client.connection.Backoff;
import dev.gavel.client.http.RemoteEvent;
import dev.gavel.client.http.RemoteEventStream;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemoteGatewayException.Unreachable;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;

/**
 * Reads a topic's event stream on its own thread, queues the events that concern the reviewer, and reconnects by
 * itself. Thread-safe.
 */
final class ReviewFeed implements AutoCloseable {
    private final RemoteGateway gateway;
    private final String topic;
    private final BlockingQueue<ReviewSessionEvent> events;
    private final Thread thread;
    private volatile RemoteEventStream stream;

    private ReviewFeed(
            RemoteGateway gateway, String topic, BlockingQueue<ReviewSessionEvent> events, RemoteEventStream first) {
        this.gateway = gateway;
        this.topic = topic;
        this.events = events;
        this.stream = first;
        this.thread = Thread.ofVirtual().name("review feed").unstarted(this::readLoop);
    }

    /** Opens the stream. Every event after this method has returned is queued. */
    static ReviewFeed open(RemoteGateway gateway, String topic, BlockingQueue<ReviewSessionEvent> events)
            throws RemoteGatewayException, InterruptedException {
        ReviewFeed feed = new ReviewFeed(
                gateway,
                topic,
                events,
                RateLimitRetry.retry(() -> gateway.openEventStream(topic, OptionalLong.empty())));
        feed.thread.start();
        return feed;
    }

    private void readLoop() {
        Backoff backoff = new Backoff();
        try {
            while (true) {
                for (Optional<RemoteEvent> event = stream.next(); event.isPresent(); event = stream.next()) {
                    backoff.reset();
                    forward(event.get().envelope());
                }
                stream.close();
                if (Thread.interrupted()) {
                    return;
                }
                events.put(new ReviewSessionEvent.ServerLost());
                reopen(backoff);
                events.put(new ReviewSessionEvent.ServerBack());
            }
        } catch (RemoteGatewayException e) {
            events.add(new ReviewSessionEvent.FeedRefused(e));
        } catch (InterruptedException e) {
            // The feed is closed.
        }
    }

    private void reopen(Backoff backoff) throws RemoteGatewayException, InterruptedException {
        while (true) {
            Thread.sleep(backoff.next());
            try {
                stream = gateway.openEventStream(topic, OptionalLong.empty());
                return;
            } catch (Unreachable e) {
                // Retry after the next delay.
            } catch (Refused e) {
                Thread.sleep(RateLimitRetry.retryDelay(e));
            }
        }
    }

    private void forward(Json envelope) throws InterruptedException {
        String kind = envelope.at("kind").text();
        if (kind.equals("system.presence")) {
            events.put(new ReviewSessionEvent.PresenceChanged());
        } else if (kind.startsWith("mcp.proposal.")) {
            events.put(new ReviewSessionEvent.ProposalsChanged(
                    List.of(envelope.at("id").text())));
        } else if (!envelope.at("correlationId").texts().isEmpty()) {
            events.put(new ReviewSessionEvent.ProposalsChanged(
                    envelope.at("correlationId").texts()));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        stream.close();
    }
}
