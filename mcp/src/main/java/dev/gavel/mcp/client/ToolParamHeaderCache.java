package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.ToolParamHeaderMapping;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches, from an MCP server's latest tool lists, which tool arguments the client must repeat in HTTP headers.
 * Thread-safe.
 */
final class ToolParamHeaderCache {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttpTransport.class);
    private static final int MAX_TOOLS = 10_000;
    private static final String TOOLS = "tools";

    private final String name;
    private final Map<String, ToolParamHeaderMapping> headersByTool = new HashMap<>();
    private boolean loaded;

    ToolParamHeaderCache(String name) {
        this.name = name;
    }

    /** Whether the server has listed its tools yet. */
    synchronized boolean isLoaded() {
        return loaded;
    }

    /** Returns the headers of a call with these parameters, not yet encoded. */
    Map<String, String> headersFor(String tool, String params) {
        ToolParamHeaderMapping headers;
        synchronized (this) {
            headers = headersByTool.get(tool);
        }
        return headers == null ? Map.of() : headers.of(params);
    }

    /** Updates the cache from a tool list, and returns the list without tools that cannot be called over HTTP. */
    String update(String result) {
        Optional<Json> list = Json.parse(result);
        if (list.isEmpty()) {
            return result;
        }
        List<Json> validTools = new ArrayList<>();
        List<Json> all = list.get().at(TOOLS).elements();
        for (Json tool : all) {
            String toolName = tool.at("name").text();
            ToolParamHeaderMapping headers = ToolParamHeaderMapping.of(tool.at("inputSchema"));
            headers.schemaProblem()
                    .ifPresentOrElse(
                            problem -> log.warn(
                                    "Bridge {}: the tool {} is not offered: {}",
                                    name,
                                    InputExcerptFormatter.quote(toolName),
                                    problem),
                            () -> validTools.add(tool));
            store(toolName, headers);
        }
        synchronized (this) {
            loaded = true;
        }
        return validTools.size() == all.size()
                ? result
                : RawJsonEditor.replace(
                                result,
                                validTools.stream().map(Json::raw).collect(Collectors.joining(",", "[", "]")),
                                TOOLS)
                        .orElse(result);
    }

    private synchronized void store(String tool, ToolParamHeaderMapping headers) {
        if (headers.isEmpty()) {
            headersByTool.remove(tool);
        } else if (headersByTool.size() < MAX_TOOLS || headersByTool.containsKey(tool)) {
            headersByTool.put(tool, headers);
        }
    }
}
