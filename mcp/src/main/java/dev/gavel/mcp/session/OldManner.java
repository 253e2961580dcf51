package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The versions up to 2025-11-25: client and server introduce themselves once, and what they agreed on holds until the session
 * ends. Immutable.
 */
record OldManner(String version, Json introduction) implements Manner {
    /** What we offer, and what else we take; all speak of tools, prompts and resources alike. */
    private static final String OFFERED = "2025-11-25";

    static final List<String> TAKEN = List.of(OFFERED, "2025-06-18", "2025-03-26", "2024-11-05");

    static final String INITIALISE = "initialize";
    static final String INITIALISED = "notifications/initialized";

    /** What we introduce ourselves with: nothing that a server could ask of us. */
    static String greeting(Session.ClientInfo client) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("protocolVersion", OFFERED);
                    json.writeObjectPropertyStart("capabilities");
                    json.writeEndObject();
                    json.writeName("clientInfo");
                    json.writeRawValue(client.json());
                    json.writeEndObject();
                })
                .raw();
    }

    /** As the server's answer to our introduction has it. */
    static OldManner of(Json introduction) throws IOException {
        String version = introduction.at("protocolVersion").text();
        if (!TAKEN.contains(version)) {
            throw new IOException(
                    "the server speaks MCP '" + version + "' only; these are understood here: " + Opening.understood());
        }
        return new OldManner(version, introduction);
    }

    @Override
    public boolean stateless() {
        return false;
    }

    @Override
    public Optional<String> params(Optional<String> params, boolean own) {
        return params.map(raw -> Meta.passedOn(raw, false));
    }
}
