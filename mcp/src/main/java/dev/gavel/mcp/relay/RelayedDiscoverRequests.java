package dev.gavel.mcp.relay;

import dev.gavel.mcp.client.StreamableHttpTransport;
import dev.gavel.mcp.facade.stateless.DiscoverResponseFactory;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tracks a relayed client's {@code server/discover} requests and answers those that the server does not answer in time.
 * The client gets one response to each. Thread-safe.
 */
final class RelayedDiscoverRequests {
    private final DiscoverResponder responder;
    private final Consumer<RpcMessage> client;
    private final Set<String> waiting = new HashSet<>();
    private final Set<String> answered = new HashSet<>();

    /** Creates the table without requests, for a client that receives messages in this way. */
    RelayedDiscoverRequests(DiscoverResponder responder, Consumer<RpcMessage> client) {
        this.responder = responder;
        this.client = client;
    }

    /** Registers a request if it is a discover request. */
    void registerIfDiscover(RpcMessage.Request request) {
        if (!request.method().equals(DiscoverResponseFactory.METHOD) || !StreamableHttpTransport.isStateless(request)) {
            return;
        }
        synchronized (this) {
            waiting.add(request.id());
            answered.remove(request.id());
        }
        Thread.ofVirtual().name("relay discover").start(() -> answerLate(request.id()));
    }

    private void answerLate(String id) {
        try {
            Thread.sleep(responder.timeout());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (!waiting.remove(id)) {
                return;
            }
            answered.add(id);
        }
        client.accept(responder.response().apply(id));
    }

    /** Records the server's response to any request. Returns false if the client already has a response. */
    synchronized boolean acceptResponse(String id) {
        waiting.remove(id);
        return !answered.remove(id);
    }
}
