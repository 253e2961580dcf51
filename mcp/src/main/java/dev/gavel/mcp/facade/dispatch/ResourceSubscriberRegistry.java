package dev.gavel.mcp.facade.dispatch;

import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.FacadeCaller;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the clients subscribed to each resource of a topic; when the last one leaves, returns the callers whose
 * subscriptions to cancel. A server may know one subscriber only, who stands for all of them, or each identity: so
 * nobody unsubscribes before the last client has gone, and then everybody does who subscribed. Confined to the topic's
 * loop.
 */
final class ResourceSubscriberRegistry {
    private final Map<CallTarget, Subscribers> subscribersByResource = new HashMap<>();

    /** One resource. */
    private static final class Subscribers {
        final Map<String, FacadeCaller> callers = new LinkedHashMap<>();
        int clientCount;
    }

    /** One client more wants to be told. */
    void add(CallTarget resource, FacadeCaller caller) {
        Subscribers known = subscribersByResource.computeIfAbsent(resource, _ -> new Subscribers());
        known.clientCount++;
        known.callers.put(caller.id(), caller);
    }

    /** One client fewer wants to be told; gives those who are to unsubscribe, where it was the last. */
    Collection<FacadeCaller> remove(CallTarget resource) {
        Subscribers known = subscribersByResource.get(resource);
        if (known == null || --known.clientCount > 0) {
            return List.of();
        }
        subscribersByResource.remove(resource);
        return known.callers.values();
    }
}
