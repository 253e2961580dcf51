package dev.gavel.mcp.facade.modern;

import dev.gavel.mcp.facade.call.Severity;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcpx.json.Json;
import java.util.Map;
import java.util.Optional;

/**
 * A request that says of itself all that is needed to answer it. Immutable.
 *
 * @param id as the client wrote it
 * @param params as the client wrote them
 * @param capabilities what the client could be asked for
 * @param severity from which on it wants a server's log messages; none where it wants none
 * @param mirrored the arguments that headers say as well, by the headers' names in small letters
 */
public record Question(
        String id,
        String method,
        String params,
        Json capabilities,
        Optional<Severity> severity,
        Map<String, String> mirrored) {
    public Question {
        mirrored = Map.copyOf(mirrored);
    }

    /** Whether the client knows tasks. */
    boolean knowsTasks() {
        return capabilities.at("extensions").at(Meta.TASKS).there();
    }
}
