package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.catalog.TopicCatalog;
import dev.gavel.mcpx.Kind;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The target of a call: the participant that runs it, the MCP method, and the tool name, prompt name or resource URI.
 *
 * @param participant the participant that offers the target
 * @param method the MCP method of the call
 * @param name the participant's own name: a tool's or prompt's name, or a resource's URI; null if the method has none
 */
public record CallTarget(
        String participant, String method, @Nullable String name) {
    /** Returns the kind of the request that makes the call. */
    public Kind requestKind() {
        return new Kind("mcp", "request", method, name);
    }

    /**
     * Whether a client may have called the target with this name, which depends on what participants listed then.
     *
     * @param members the ids of the topic's members
     */
    boolean mayBeNamed(String displayName, Collection<String> members) {
        return method.startsWith("resources/")
                ? displayName.equals(name)
                : name != null && TopicCatalog.mayBeNamed(displayName, participant, name, members);
    }

    /** Returns the name for messages. */
    public String displayName() {
        return name == null ? method : name;
    }
}
