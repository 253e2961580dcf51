package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.json.CanonicalJsonWriter;
import dev.gavel.mcpx.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Normalizes the parameters of MCP calls, to find equal calls of the same target. Stateless. */
public final class CallParams {
    private static final String META = "_meta";

    /** The field of {@code _meta} by which a client tells equal calls apart. */
    private static final String CALL_ID = "dev.gavel/callId";

    /** Parameters that name the target, and {@code _meta}, of which only the call id counts. */
    private static final List<String> IGNORED_PARAMS = List.of(META, "name", "uri");

    private CallParams() {}

    /**
     * Returns a text that equal parameters have in common; empty if the parameters are not valid JSON. Numbers stay as
     * sent: two numbers that differ only in their last digits are different arguments.
     *
     * @param params the {@code params} of the call as JSON
     */
    public static Optional<String> canonical(String params) {
        return Json.parse(params).map(json -> {
            Map<String, Json> members = new LinkedHashMap<>(json.members());
            IGNORED_PARAMS.forEach(members::remove);
            Json callId = json.at(META).at(CALL_ID);
            return CanonicalJsonWriter.writeWithNumbersAsSent(members) + "\n"
                    + (callId.isPresent() ? callId.raw() : "");
        });
    }
}
