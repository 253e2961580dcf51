package dev.gavel.client;

import dev.gavel.client.http.Problem;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Reads proposals over HTTP, a few at a time, until it has an answer; where the gateway cannot give one now, the others
 * wait too. What is wanted again while it is being read is read once more; wanted often, it is read once. Thread-safe.
 */
final class Lookups {
    private static final int AT_ONCE = 4;
    private static final int NOT_FOUND = 404;

    private final RemoteGateway gateway;
    private final String topic;
    private final Executor executor;
    private final BiConsumer<String, Optional<Json>> found;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Map<String, Instant> planned = new HashMap<>();
    private final Set<String> reading = new HashSet<>();
    private final Set<String> wantedAgain = new HashSet<>();
    private boolean closed;

    /**
     * A reader of a topic's proposals.
     *
     * @param found takes a proposal's id and what is kept of it; nothing where nothing is
     */
    Lookups(RemoteGateway gateway, String topic, Executor executor, BiConsumer<String, Optional<Json>> found) {
        this.gateway = gateway;
        this.topic = topic;
        this.executor = executor;
        this.found = found;
    }

    /** Has a proposal read now. */
    synchronized void now(String id) {
        if (closed) {
            return;
        }
        if (reading.add(id)) {
            executor.execute(() -> read(id));
        } else {
            wantedAgain.add(id);
        }
    }

    /** Has a proposal read after a while, or sooner if somebody wants that. */
    synchronized void after(String id, Duration wait) {
        Instant due = Instant.now().plus(wait);
        Instant earlier = planned.get(id);
        if (closed || (earlier != null && !earlier.isAfter(due))) {
            return;
        }
        planned.put(id, due);
        CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS, executor)
                .execute(() -> due(id, due));
    }

    private synchronized void due(String id, Instant due) {
        if (planned.remove(id, due)) {
            now(id);
        }
    }

    private void read(String id) {
        try {
            places.acquire();
            try {
                if (!isClosed()) {
                    found.accept(id, Optional.of(Asking.until(() -> gateway.proposal(topic, id), this::isClosed)));
                }
            } finally {
                places.release();
            }
        } catch (RemoteException.Refused e) {
            refused(id, e.problem());
        } catch (RemoteException e) {
            // Closed: nobody wants to know any more.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            done(id);
        }
    }

    private void refused(String id, Problem problem) {
        if (problem.status() == NOT_FOUND && problem.code().equals("unknown_proposal")) {
            found.accept(id, Optional.empty());
        }
        // Whoever may not ask any more learns that from the connection.
    }

    private synchronized void done(String id) {
        reading.remove(id);
        if (wantedAgain.remove(id)) {
            now(id);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        planned.clear();
    }
}
