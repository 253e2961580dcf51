package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteEvent;
import dev.gavel.client.http.RemoteEvents;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.client.http.RemoteException.Unreachable;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.link.Backoff;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;

/**
 * Hears what happens in a topic, on a thread of its own, and passes on what may concern a reviewer. A stream that breaks
 * is opened again. Thread-safe.
 */
final class ReviewFeed implements AutoCloseable {
    private final RemoteGateway gateway;
    private final String topic;
    private final BlockingQueue<ReviewEvent> events;
    private final Thread thread;
    private volatile RemoteEvents stream;

    private ReviewFeed(RemoteGateway gateway, String topic, BlockingQueue<ReviewEvent> events, RemoteEvents first) {
        this.gateway = gateway;
        this.topic = topic;
        this.events = events;
        this.stream = first;
        this.thread = Thread.ofVirtual().name("review feed").unstarted(this::hear);
    }

    /** Begins to listen; what happens after this has returned is heard. */
    static ReviewFeed open(RemoteGateway gateway, String topic, BlockingQueue<ReviewEvent> events)
            throws RemoteException, InterruptedException {
        ReviewFeed feed = new ReviewFeed(
                gateway, topic, events, Patience.answer(() -> gateway.events(topic, OptionalLong.empty())));
        feed.thread.start();
        return feed;
    }

    private void hear() {
        Backoff backoff = new Backoff();
        try {
            while (true) {
                for (Optional<RemoteEvent> event = stream.next(); event.isPresent(); event = stream.next()) {
                    backoff.reset();
                    pass(event.get().envelope());
                }
                stream.close();
                if (Thread.interrupted()) {
                    return;
                }
                events.put(new ReviewEvent.Lost());
                reopen(backoff);
                events.put(new ReviewEvent.Back());
            }
        } catch (RemoteException e) {
            events.add(new ReviewEvent.Refused(e));
        } catch (InterruptedException e) {
            // Nobody listens any more.
        }
    }

    private void reopen(Backoff backoff) throws RemoteException, InterruptedException {
        while (true) {
            Thread.sleep(backoff.next());
            try {
                stream = gateway.events(topic, OptionalLong.empty());
                return;
            } catch (Unreachable e) {
                // Tried again.
            } catch (Refused e) {
                Thread.sleep(Patience.pause(e));
            }
        }
    }

    private void pass(Json envelope) throws InterruptedException {
        String kind = envelope.at("kind").text();
        if (kind.equals("system.presence")) {
            events.put(new ReviewEvent.Attendance());
        } else if (kind.startsWith("mcp.proposal.")) {
            events.put(new ReviewEvent.News(List.of(envelope.at("id").text())));
        } else if (!envelope.at("correlationId").texts().isEmpty()) {
            events.put(new ReviewEvent.News(envelope.at("correlationId").texts()));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        stream.close();
    }
}
