package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/**
 * Implements the stateless protocol of MCP 2026-07-28, in which every request carries the protocol version, client info
 * and capabilities. Immutable.
 */
record StatelessProtocol(McpClientSession.ClientInfo client, Json serverDescription) implements NegotiatedProtocol {
    static final String VERSION = "2026-07-28";
    static final String DISCOVER = "server/discover";

    private static final String EMPTY_OBJECT = "{}";

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public boolean isStateless() {
        return true;
    }

    @Override
    public Optional<String> prepareParams(Optional<String> params, boolean onOwnBehalf) {
        String raw = McpMetaFields.forwardableParams(params.orElse(EMPTY_OBJECT), onOwnBehalf);
        String meta = RawJsonEditor.at(raw, McpMetaFields.META)
                .filter(given -> given.startsWith("{"))
                .orElse(EMPTY_OBJECT);
        if (RawJsonEditor.at(meta, McpMetaFields.CAPABILITIES).isEmpty()) {
            meta = RawJsonEditor.with(meta, EMPTY_OBJECT, McpMetaFields.CAPABILITIES);
        }
        meta = RawJsonEditor.with(meta, client.json(), McpMetaFields.CLIENT);
        meta = RawJsonEditor.with(meta, Json.ofText(VERSION).raw(), McpMetaFields.VERSION);
        return Optional.of(RawJsonEditor.with(raw, meta, McpMetaFields.META));
    }
}
