package dev.gavel.mcp.facade.call;

import dev.gavel.mcpx.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The target of a call: the participant that runs it, the MCP method, and the tool name, prompt name or resource URI.
 *
 * @param participant who offers it
 * @param method the call's
 * @param name what it is called there: a tool's or prompt's name, a resource's URI; null where the method has none
 */
public record CallTarget(
        String participant, String method, @Nullable String name) {
    /** The kind of the request that makes the call. */
    public Kind requestKind() {
        return new Kind("mcp", "request", method, name);
    }

    /** How it is called in a sentence. */
    public String displayName() {
        return name == null ? method : name;
    }
}
