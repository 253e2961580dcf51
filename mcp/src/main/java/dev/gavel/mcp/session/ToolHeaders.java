package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.ParamHeaders;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which arguments of a server's tools are said in headers, as its lists of tools had it last; bounded. Thread-safe. */
final class ToolHeaders {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttp.class);
    private static final int MOST = 10_000;
    private static final String TOOLS = "tools";

    private final String name;
    private final Map<String, ParamHeaders> marked = new HashMap<>();
    private boolean listed;

    ToolHeaders(String name) {
        this.name = name;
    }

    /** Whether the server has listed tools yet. */
    synchronized boolean known() {
        return listed;
    }

    /** The headers that a call with these parameters carries, not yet encoded. */
    Map<String, String> of(String tool, String params) {
        ParamHeaders headers;
        synchronized (this) {
            headers = marked.get(tool);
        }
        return headers == null ? Map.of() : headers.of(params);
    }

    /** Learns from a list of tools, and gives it back without those that cannot be called over HTTP. */
    String learned(String result) {
        Optional<Json> list = Json.parse(result);
        if (list.isEmpty()) {
            return result;
        }
        List<Json> sound = new ArrayList<>();
        List<Json> all = list.get().at(TOOLS).elements();
        for (Json tool : all) {
            String called = tool.at("name").text();
            ParamHeaders headers = ParamHeaders.of(tool.at("inputSchema"));
            headers.complaint()
                    .ifPresentOrElse(
                            why -> log.warn("bridge {}: the tool '{}' is left out: {}", name, called, why),
                            () -> sound.add(tool));
            note(called, headers);
        }
        synchronized (this) {
            listed = true;
        }
        return sound.size() == all.size()
                ? result
                : RawJson.replaced(
                                result, sound.stream().map(Json::raw).collect(Collectors.joining(",", "[", "]")), TOOLS)
                        .orElse(result);
    }

    private synchronized void note(String tool, ParamHeaders headers) {
        if (headers.isEmpty()) {
            marked.remove(tool);
        } else if (marked.size() < MOST || marked.containsKey(tool)) {
            marked.put(tool, headers);
        }
    }
}
