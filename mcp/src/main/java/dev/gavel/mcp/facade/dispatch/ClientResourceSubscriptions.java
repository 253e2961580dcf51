package dev.gavel.mcp.facade.dispatch;

import dev.gavel.mcp.facade.call.CallSubmitter;
import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.facade.call.InFlightClientRequest;
import dev.gavel.mcp.rpc.RpcErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps one MCP client's resource subscriptions, and subscribes and unsubscribes at the participants that offer the
 * resources. A caller that may only propose to read a resource cannot subscribe to it, because the server would be
 * queried without a review. Confined to the topic's loop.
 */
public final class ClientResourceSubscriptions {
    /** The limit per client. */
    public static final int MAX_SUBSCRIPTIONS = 1_000;

    private final FacadeCaller caller;
    private final McpRequestDispatcher mcpRequestDispatcher;
    private final Map<String, CallTarget> targetsByUri = new LinkedHashMap<>();
    private boolean closed;

    public ClientResourceSubscriptions(FacadeCaller caller, McpRequestDispatcher mcpRequestDispatcher) {
        this.caller = caller;
        this.mcpRequestDispatcher = mcpRequestDispatcher;
    }

    public boolean contains(String uri) {
        return targetsByUri.containsKey(uri);
    }

    /** Subscribes to a resource at the participant that offers it. */
    public void subscribe(String params, InFlightClientRequest clientRequest) {
        mcpRequestDispatcher.withResource(caller, "resources/subscribe", params, clientRequest, target -> {
            String uri = String.valueOf(target.name());
            CallTarget readTarget = new CallTarget(target.participant(), "resources/read", uri);
            if (!caller.maySend(readTarget, params) && !caller.maySend(target, params)) {
                McpRequestDispatcher.respondError(
                        clientRequest,
                        RpcErrorCode.FORBIDDEN,
                        CallSubmitter.missingCapabilityMessage(caller, readTarget.requestKind()));
            } else if (targetsByUri.size() >= MAX_SUBSCRIPTIONS) {
                McpRequestDispatcher.respondError(
                        clientRequest,
                        RpcErrorCode.BUSY,
                        "You have reached the limit of " + MAX_SUBSCRIPTIONS
                                + " resource subscriptions. Unsubscribe from some resources first.");
            } else if (!closed) {
                if (targetsByUri.put(uri, target) == null) {
                    mcpRequestDispatcher.subscriberCounter().add(target, caller);
                }
                mcpRequestDispatcher.callSubmitter().sendAuxiliary(caller, target, params, clientRequest);
            }
        });
    }

    /** Ends the client's subscription to a resource. The participant is notified if no other client is subscribed. */
    public void unsubscribe(String uri) {
        CallTarget target = targetsByUri.remove(uri);
        if (target != null) {
            CallTarget unsubscribeTarget = new CallTarget(target.participant(), "resources/unsubscribe", uri);
            mcpRequestDispatcher
                    .subscriberCounter()
                    .remove(target)
                    .forEach(each ->
                            mcpRequestDispatcher.callSubmitter().forwardWithoutResponse(each, unsubscribeTarget));
        }
    }

    /** Ends all subscriptions of a client that has disconnected. */
    public void close() {
        closed = true;
        List.copyOf(targetsByUri.keySet()).forEach(this::unsubscribe);
    }
}
