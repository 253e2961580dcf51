package dev.gavel.mcp.facade.desk;

import dev.gavel.mcp.facade.call.Target;
import java.util.HashMap;
import java.util.Map;

/**
 * How many of a topic's clients want to be told of each resource: a server knows one subscriber only, who stands for all of
 * them. Confined to the topic's loop.
 */
final class Interest {
    private final Map<Target, Integer> counts = new HashMap<>();

    void add(Target resource) {
        counts.merge(resource, 1, Integer::sum);
    }

    /** One fewer wants to be told; true where that was the last. */
    boolean remove(Target resource) {
        return counts.computeIfPresent(resource, (key, count) -> count == 1 ? null : count - 1) == null;
    }
}
