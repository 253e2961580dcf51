package dev.gavel.client;

import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteProblem;
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
 * Reads proposals from the gateway over HTTP, a few at a time, and merges repeated requests for the same proposal. All
 * requests that arrive while a proposal is being read cause one further read. Thread-safe.
 */
final class ProposalLookups {
    private static final int MAX_CONCURRENT = 4;
    private static final int NOT_FOUND = 404;

    private final RemoteGateway gateway;
    private final String topic;
    private final Executor executor;
    private final BiConsumer<String, Optional<Json>> resultListener;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);
    private final Map<String, Instant> scheduledAt = new HashMap<>();
    private final Set<String> idsBeingRead = new HashSet<>();
    private final Set<String> requestedAgain = new HashSet<>();
    private boolean closed;

    /**
     * Creates a reader of a topic's proposals.
     *
     * @param listener receives a proposal's id and the gateway's view of it; empty if the ledger does not have the
     *     proposal
     */
    ProposalLookups(
            RemoteGateway gateway, String topic, Executor executor, BiConsumer<String, Optional<Json>> listener) {
        this.gateway = gateway;
        this.topic = topic;
        this.executor = executor;
        this.resultListener = listener;
    }

    /** Reads a proposal now. */
    synchronized void lookupNow(String id) {
        if (closed) {
            return;
        }
        if (idsBeingRead.add(id)) {
            executor.execute(() -> read(id));
        } else {
            requestedAgain.add(id);
        }
    }

    /** Reads a proposal after a delay, or sooner if another call requests that. */
    synchronized void lookupAfter(String id, Duration delay) {
        Instant due = Instant.now().plus(delay);
        Instant earlier = scheduledAt.get(id);
        if (closed || (earlier != null && !earlier.isAfter(due))) {
            return;
        }
        scheduledAt.put(id, due);
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, executor)
                .execute(() -> lookupIfDue(id, due));
    }

    private synchronized void lookupIfDue(String id, Instant due) {
        if (scheduledAt.remove(id, due)) {
            lookupNow(id);
        }
    }

    private void read(String id) {
        try {
            permits.acquire();
            try {
                if (!isClosed()) {
                    resultListener.accept(
                            id,
                            Optional.of(GatewayRetry.retryUntil(() -> gateway.proposal(topic, id), this::isClosed)));
                }
            } finally {
                permits.release();
            }
        } catch (RemoteGatewayException.Refused e) {
            onRefused(id, e.problem());
        } catch (RemoteGatewayException e) {
            // Closed: the result is no longer needed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            onReadDone(id);
        }
    }

    private void onRefused(String id, RemoteProblem problem) {
        if (problem.status() == NOT_FOUND && problem.code().equals("unknown_proposal")) {
            resultListener.accept(id, Optional.empty());
        }
        // If the client has lost its access, the connection reports that.
    }

    private synchronized void onReadDone(String id) {
        idsBeingRead.remove(id);
        if (requestedAgain.remove(id)) {
            lookupNow(id);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        scheduledAt.clear();
    }
}
