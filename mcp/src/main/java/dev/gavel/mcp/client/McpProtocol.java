package dev.gavel.mcp.client;

import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * The protocol negotiated with an MCP server, which prepares the parameters of each request for the server's version.
 * Every case is immutable.
 */
sealed interface McpProtocol permits StatefulProtocol, StatelessProtocol {
    /** The version of MCP. */
    String version();

    /** Whether the server agreed on nothing with us: every request says all it needs. */
    boolean isStateless();

    /** What the server said of itself: {@code capabilities} and so on. */
    Json serverDescription();

    /**
     * The parameters of a request, with what the version wants in them and without what is not the server's business.
     *
     * @param own whether who sends the request wants it for themselves, so that what they say of themselves in it counts
     */
    Optional<String> prepareParams(Optional<String> params, boolean own);
}
