package dev.gavel.mcp.catalog;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tools, prompts, resources and resource templates that one participant offers. Immutable. */
public final class ParticipantCatalog {
    private final String participant;
    private final Map<McpListType, Map<String, Json>> lists;

    /** The tools by name. They keep their digests once these are computed. */
    private final Map<String, ToolDefinition> tools;

    private ParticipantCatalog(
            String participant, Map<McpListType, Map<String, Json>> lists, Map<String, ToolDefinition> tools) {
        this.participant = participant;
        this.lists = lists;
        this.tools = tools;
    }

    /** Returns the catalog of a participant of which nothing is known yet. */
    public static ParticipantCatalog empty(String participant) {
        return new ParticipantCatalog(participant, Map.of(), Map.of());
    }

    /** Returns a copy with these entries as one of its lists. Entries without a key are left out. */
    public ParticipantCatalog withList(McpListType listType, List<Json> entries) {
        Map<McpListType, Map<String, Json>> copy = new EnumMap<>(McpListType.class);
        copy.putAll(lists);
        Map<String, Json> byKey = new LinkedHashMap<>();
        entries.forEach(
                entry -> entry.at(listType.keyField()).asText().ifPresent(key -> byKey.putIfAbsent(key, entry)));
        copy.put(listType, byKey);
        return new ParticipantCatalog(participant, copy, listType == McpListType.TOOLS ? definitions(byKey) : tools);
    }

    private Map<String, ToolDefinition> definitions(Map<String, Json> entries) {
        Map<String, ToolDefinition> definitions = new LinkedHashMap<>();
        entries.forEach((name, entry) -> definitions.put(name, ToolDefinition.of(participant, name, entry)));
        return definitions;
    }

    /** Returns the definition of a tool. */
    Optional<ToolDefinition> findTool(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    /** Returns the definitions of all tools, in the participant's order. */
    Collection<ToolDefinition> tools() {
        return Collections.unmodifiableCollection(tools.values());
    }

    /** Returns the id of the participant. */
    public String participant() {
        return participant;
    }

    /** Whether the participant has listed its entries of this type. */
    public boolean isLoaded(McpListType listType) {
        return lists.containsKey(listType);
    }

    /** Returns one list, by name or URI, in the participant's order. */
    public Map<String, Json> list(McpListType listType) {
        return lists.getOrDefault(listType, Map.of());
    }

    /** Whether the participant lists the tool, prompt or resource that a call names. */
    boolean offers(Kind call) {
        String method = call.method();
        String context = call.context();
        if (method == null || context == null) {
            return false;
        }
        return switch (method) {
            case "tools/call" -> list(McpListType.TOOLS).containsKey(context);
            case "prompts/get" -> list(McpListType.PROMPTS).containsKey(context);
            case "resources/read" ->
                list(McpListType.RESOURCES).containsKey(context)
                        || list(McpListType.TEMPLATES).keySet().stream()
                                .anyMatch(template -> matchesTemplate(template, context));
            default -> false;
        };
    }

    /** Returns the length of a template before its first variable. The longer it is, the more specific is a match. */
    public static int literalPrefixLength(String template) {
        int first = template.indexOf('{');
        return first < 0 ? template.length() : first;
    }

    /**
     * Whether a URI may be an expansion of a template: it has the text before the first and after the last variable.
     */
    public static boolean matchesTemplate(String template, String uri) {
        int first = template.indexOf('{');
        int last = template.lastIndexOf('}');
        if (first < 0 || last < first) {
            return template.equals(uri);
        }
        String head = template.substring(0, first);
        String tail = template.substring(last + 1);
        return uri.length() >= head.length() + tail.length() && uri.startsWith(head) && uri.endsWith(tail);
    }
}
