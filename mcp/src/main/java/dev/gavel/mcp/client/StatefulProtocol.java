package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The stateful protocol of MCP 2025-11-25 and older, which negotiates version and capabilities once with {@code
 * initialize}. Immutable.
 */
record StatefulProtocol(String version, Json serverDescription) implements NegotiatedProtocol {
    /**
     * The version that the client offers. It accepts the others too, since they define tools, prompts and resources
     * alike.
     */
    private static final String OFFERED_VERSION = "2025-11-25";

    static final List<String> SUPPORTED_VERSIONS = List.of(OFFERED_VERSION, "2025-06-18", "2025-03-26", "2024-11-05");

    static final String INITIALIZE = "initialize";
    static final String INITIALIZED = "notifications/initialized";

    /**
     * The capabilities that the client declares. Each caller of a tool supports some of them or none, which the server can
     * only find out by asking.
     */
    private static final String CAPABILITIES =
            "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{}}";

    /** Returns the parameters of {@code initialize}. */
    static String initializeParams(McpClientSession.ClientInfo client) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("protocolVersion", OFFERED_VERSION);
                    json.writeName("capabilities");
                    json.writeRawValue(CAPABILITIES);
                    json.writeName("clientInfo");
                    json.writeRawValue(client.json());
                    json.writeEndObject();
                })
                .raw();
    }

    /** Creates the protocol from the server's result of {@code initialize}. */
    static StatefulProtocol fromInitializeResult(Json initializeResult) throws IOException {
        String version = initializeResult.at("protocolVersion").text();
        if (!SUPPORTED_VERSIONS.contains(version)) {
            throw new IOException("the server supports only MCP '" + version + "'; the bridge supports "
                    + ProtocolNegotiator.supportedVersionsText());
        }
        return new StatefulProtocol(version, initializeResult);
    }

    @Override
    public boolean isStateless() {
        return false;
    }

    @Override
    public Optional<String> prepareParams(Optional<String> params, boolean onOwnBehalf) {
        return params.map(raw -> McpMetaFields.forwardableParams(raw, false));
    }
}
