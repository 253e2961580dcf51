package dev.gavel.mcp.catalog;

import dev.gavel.gateway.tool.ToolDefinition;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers how participants last defined their tools, also after they left. Only definitions that may mark an argument
 * as secret are kept: the gateway needs them to hide secrets in calls that are proposed while the server is down. Bounded,
 * because definitions come from servers. Thread-safe.
 */
final class LastListedTools {
    private static final int MAX_PARTICIPANTS = 200;
    private static final int MAX_TOOLS = 500;

    /** By participant and tool. The participant that listed its tools least recently is first. */
    private final Map<String, Map<String, ToolDefinition>> tools = new LinkedHashMap<>();

    /** Records a participant's list of tools. A tool that the list does not contain keeps its last definition. */
    synchronized void record(String participant, Collection<ToolDefinition> listed) {
        Map<String, ToolDefinition> latest = tools.remove(participant);
        Map<String, ToolDefinition> byName = latest == null ? new LinkedHashMap<>() : latest;
        for (ToolDefinition definition : listed) {
            byName.remove(definition.name());
            if (mayMarkSecrets(definition)) {
                byName.put(definition.name(), definition);
            }
        }
        dropEldest(byName, MAX_TOOLS);
        if (!byName.isEmpty()) {
            tools.put(participant, byName);
            dropEldest(tools, MAX_PARTICIPANTS);
        }
    }

    private static void dropEldest(Map<String, ?> map, int max) {
        while (map.size() > max) {
            map.remove(map.keySet().iterator().next());
        }
    }

    /** A quick test of the text; the schema is read when a call is proposed. */
    private static boolean mayMarkSecrets(ToolDefinition definition) {
        String schema =
                definition.inputSchema().isPresent() ? definition.inputSchema().raw() : "";
        return schema.contains("password") || schema.contains("writeOnly") || schema.contains("\\u");
    }

    /** Returns the last definitions of a tool, by all participants. */
    synchronized List<ToolDefinition> find(String tool) {
        return tools.values().stream()
                .filter(byName -> byName.containsKey(tool))
                .map(byName -> byName.get(tool))
                .toList();
    }
}
