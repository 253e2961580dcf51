package dev.gavel.mcp.facade.desk;

import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Target;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who of a topic's clients wants to be told of each resource. A server may know one subscriber only, who stands for all of them,
 * or each identity: so nobody unsubscribes before the last client has gone, and then everybody does who subscribed. Confined to
 * the topic's loop.
 */
final class Interest {
    private final Map<Target, Held> held = new HashMap<>();

    /** One resource. */
    private static final class Held {
        final Map<String, Caller> callers = new LinkedHashMap<>();
        int clients;
    }

    /** One client more wants to be told. */
    void add(Target resource, Caller caller) {
        Held known = held.computeIfAbsent(resource, _ -> new Held());
        known.clients++;
        known.callers.put(caller.id(), caller);
    }

    /** One client fewer wants to be told; gives those who are to unsubscribe, where it was the last. */
    Collection<Caller> remove(Target resource) {
        Held known = held.get(resource);
        if (known == null || --known.clients > 0) {
            return List.of();
        }
        held.remove(resource);
        return known.callers.values();
    }
}
