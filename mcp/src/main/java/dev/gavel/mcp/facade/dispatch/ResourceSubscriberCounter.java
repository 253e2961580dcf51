package dev.gavel.mcp.facade.dispatch;

import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.FacadeCaller;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the clients subscribed to each resource, so that the facade unsubscribes at the server only when the last
 * client has left. A server may track a single subscription for all callers, or one for each caller. So no caller
 * unsubscribes before the last client has left, and then all callers that subscribed do. Confined to the topic's loop.
 */
final class ResourceSubscriberCounter {
    private final Map<CallTarget, Subscribers> subscribersByResource = new HashMap<>();

    /** The subscribers of one resource. */
    private static final class Subscribers {
        final Map<String, FacadeCaller> callers = new LinkedHashMap<>();
        int clientCount;
    }

    /** Adds a client that subscribes to a resource. */
    void add(CallTarget resource, FacadeCaller caller) {
        Subscribers subscribers = subscribersByResource.computeIfAbsent(resource, _ -> new Subscribers());
        subscribers.clientCount++;
        subscribers.callers.put(caller.id(), caller);
    }

    /** Removes a client. If it was the last one, returns the callers that have to unsubscribe. */
    Collection<FacadeCaller> remove(CallTarget resource) {
        Subscribers subscribers = subscribersByResource.get(resource);
        if (subscribers == null || --subscribers.clientCount > 0) {
            return List.of();
        }
        subscribersByResource.remove(resource);
        return subscribers.callers.values();
    }
}
