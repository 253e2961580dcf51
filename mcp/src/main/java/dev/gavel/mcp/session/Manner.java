package dev.gavel.mcp.session;

import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/** How a server is spoken to, as its version of MCP has it. Every case is immutable. */
sealed interface Manner permits OldManner, NewManner {
    /** The version of MCP. */
    String version();

    /** Whether the server agreed on nothing with us: every request says all it needs. */
    boolean stateless();

    /** What the server said of itself: {@code capabilities} and so on. */
    Json introduction();

    /**
     * The parameters of a request, with what the version wants in them and without what is not the server's business.
     *
     * @param own whether who sends the request wants it for themselves, so that what they say of themselves in it counts
     */
    Optional<String> params(Optional<String> params, boolean own);
}
