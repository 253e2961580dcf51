package dev.gavel.mcp.rpc;

import java.util.Optional;

/**
 * Names the HTTP headers that repeat a request's protocol version, method and target name for intermediaries.
 * Stateless.
 */
public final class RoutingHeaders {
    /** The version of MCP that a request is of. */
    public static final String VERSION = "MCP-Protocol-Version";

    /** Its method. */
    public static final String METHOD = "Mcp-Method";

    /** What it is about. */
    public static final String NAME = "Mcp-Name";

    private RoutingHeaders() {}

    /** The parameter that says what a request is about; nothing where requests of that method are about nothing in particular. */
    public static Optional<String> nameParameter(String method) {
        return switch (method) {
            case "tools/call", "prompts/get" -> Optional.of("name");
            case "resources/read" -> Optional.of("uri");
            case "tasks/get", "tasks/update", "tasks/cancel" -> Optional.of("taskId");
            default -> Optional.empty();
        };
    }
}
