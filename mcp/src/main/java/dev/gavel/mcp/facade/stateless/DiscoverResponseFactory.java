package dev.gavel.mcp.facade.stateless;

import dev.gavel.mcp.facade.call.ClientMessageFactory;
import dev.gavel.mcp.facade.dispatch.ServerDescriptionWriter;
import dev.gavel.mcp.facade.transport.McpVersion;
import dev.gavel.mcp.rpc.RpcMessage;

/** Creates responses to {@code server/discover}, which describe a topic as an MCP server. Stateless. */
public final class DiscoverResponseFactory {
    /** The method of the requests. */
    public static final String METHOD = "server/discover";

    private DiscoverResponseFactory() {}

    /** Returns the response that the gateway completes before it sends it. */
    static RpcMessage create(String id, ServerDescriptionWriter serverDescriptionWriter) {
        return ClientMessageFactory.result(id, json -> {
            json.writeArrayPropertyStart("supportedVersions");
            McpVersion.dates().forEach(json::writeString);
            json.writeEndArray();
            serverDescriptionWriter.writeCapabilities(json, true);
            serverDescriptionWriter.writeInstructions(json);
        });
    }

    /**
     * Returns a complete response for a client whose gateway has not answered in time.
     *
     * @param gavelVersion this program's version
     */
    public static RpcMessage createOffline(String id, String topic, String gavelVersion) {
        ServerDescriptionWriter serverDescriptionWriter = new ServerDescriptionWriter(topic, gavelVersion, true);
        return new StatelessResultFormatter(serverDescriptionWriter)
                .formatLocal(METHOD, create(id, serverDescriptionWriter));
    }
}
