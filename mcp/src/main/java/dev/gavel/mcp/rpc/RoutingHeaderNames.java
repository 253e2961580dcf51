package dev.gavel.mcp.rpc;

import java.util.Optional;

/**
 * Defines the names of the HTTP headers that repeat a request's protocol version, method and target, so that proxies
 * can route it. Stateless.
 */
public final class RoutingHeaderNames {
    /** The MCP version of a request. */
    public static final String VERSION = "MCP-Protocol-Version";

    /** The method of a request. */
    public static final String METHOD = "Mcp-Method";

    /** The tool, prompt, resource or task that a request names. */
    public static final String NAME = "Mcp-Name";

    private RoutingHeaderNames() {}

    /**
     * Returns the parameter that holds the value of {@link #NAME}, or empty if requests of that method have no such
     * header.
     */
    public static Optional<String> nameParameter(String method) {
        return switch (method) {
            case "tools/call", "prompts/get" -> Optional.of("name");
            case "resources/read" -> Optional.of("uri");
            case "tasks/get", "tasks/update", "tasks/cancel" -> Optional.of("taskId");
            default -> Optional.empty();
        };
    }
}
