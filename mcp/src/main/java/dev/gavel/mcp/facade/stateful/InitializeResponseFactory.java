package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcp.facade.call.ClientMessageFactory;
import dev.gavel.mcp.facade.dispatch.ServerDescriptionWriter;
import dev.gavel.mcp.facade.transport.McpVersion;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;

/** Creates the response to {@code initialize} with the negotiated protocol version. Stateless. */
final class InitializeResponseFactory {
    private InitializeResponseFactory() {}

    static RpcMessage create(String id, Json params, ServerDescriptionWriter serverDescriptionWriter) {
        McpVersion version = McpVersion.of(params.at("protocolVersion").text())
                .filter(McpVersion::isStateful)
                .orElse(McpVersion.NEWEST_STATEFUL);
        return ClientMessageFactory.result(id, json -> {
            json.writeStringProperty("protocolVersion", version.date());
            serverDescriptionWriter.writeCapabilities(json, false);
            json.writeName("serverInfo");
            serverDescriptionWriter.writeServerInfo(json);
            serverDescriptionWriter.writeInstructions(json);
        });
    }
}
