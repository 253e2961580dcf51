package dev.gavel.mcp.client;

import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * The stateful or stateless variant of MCP agreed with a server; adapts the parameters of each request to that variant.
 * Every case is immutable.
 */
sealed interface NegotiatedProtocol permits StatefulProtocol, StatelessProtocol {
    /** Returns the MCP version. */
    String version();

    /** Whether there is no session state: every request carries all that it needs. */
    boolean isStateless();

    /** Returns the server's description of itself: {@code capabilities} and so on. */
    Json serverDescription();

    /**
     * Returns the parameters of a request with the fields that the version requires, and without fields that do not
     * concern the server.
     *
     * @param onOwnBehalf whether the sender makes the request for itself, so that the capabilities it declares count
     */
    Optional<String> prepareParams(Optional<String> params, boolean onOwnBehalf);
}
