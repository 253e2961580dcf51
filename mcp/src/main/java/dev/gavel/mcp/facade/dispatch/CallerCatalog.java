package dev.gavel.mcp.facade.dispatch;

import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.catalog.ParticipantCatalog;
import dev.gavel.mcp.catalog.TopicCatalog;
import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcp.rpc.GavelMetaFields;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tools, prompts and resources of a topic that one caller may call or propose. Immutable. */
final class CallerCatalog {
    private final TopicCatalog topicCatalog;
    private final FacadeCaller facadeCaller;
    private final Set<String> reservedNames;

    /**
     * Creates the catalog from a snapshot of the topic's catalog.
     *
     * @param reservedNames the names of the facade's own tools
     */
    CallerCatalog(TopicCatalog topicCatalog, FacadeCaller caller, Set<String> reservedNames) {
        this.topicCatalog = topicCatalog;
        this.facadeCaller = caller;
        this.reservedNames = reservedNames;
    }

    /** Returns the tools or prompts that the caller may call or propose, under their display names. */
    List<Json> entries(McpListType listType, String method) {
        List<Json> entries = new ArrayList<>();
        topicCatalog.byDisplayName(listType, reservedNames).forEach((displayName, namedEntry) -> {
            Kind request = new Kind("mcp", "request", method, namedEntry.name());
            if (facadeCaller.mayCallOrPropose(request)) {
                Json entry = withoutTaskSupport(GavelMetaFields.removeFrom(namedEntry.entry(), McpMetaFields.META));
                Json renamedEntry =
                        displayName.equals(namedEntry.name()) ? entry : entry.with("name", Json.ofText(displayName));
                entries.add(
                        facadeCaller.member().capabilitySet().admitsAnyPayload(request)
                                ? renamedEntry
                                : markNeedsApproval(renamedEntry));
            }
        });
        return entries;
    }

    /**
     * Removes what the tool's server says about tasks of MCP 2025-11-25. The bridge starts these tasks itself, and a client
     * refuses to call a tool without a task if the tool requires one.
     */
    private static Json withoutTaskSupport(Json tool) {
        if (!tool.at("execution").at("taskSupport").isPresent()) {
            return tool;
        }
        Map<String, Json> members = new LinkedHashMap<>(tool.members());
        members.remove("execution");
        return Json.object(members);
    }

    /**
     * Marks a tool of which at least some calls can only be proposed. Removes its output schema: a pending response, or
     * a response that the call was not done, would violate the schema, and clients discard such responses.
     */
    private static Json markNeedsApproval(Json tool) {
        Map<String, Json> members = new LinkedHashMap<>(tool.members());
        members.remove("outputSchema");
        Map<String, Json> meta = new LinkedHashMap<>(tool.at(McpMetaFields.META).members());
        meta.put(GavelMetaFields.NEEDS_APPROVAL, Json.of(true));
        members.put(McpMetaFields.META, Json.object(meta));
        return Json.object(members);
    }

    /** Returns the participant that offers the tool or prompt with that display name, as a call target. */
    Optional<CallTarget> entries(McpListType listType, String method, String displayName) {
        return Optional.ofNullable(
                        topicCatalog.byDisplayName(listType, reservedNames).get(displayName))
                .map(namedEntry -> new CallTarget(namedEntry.participant(), method, namedEntry.name()));
    }

    /**
     * Returns the resources that the caller may read. If several participants offer the same URI, the first one counts.
     */
    List<Json> resources() {
        Map<String, Json> entries = new LinkedHashMap<>();
        topicCatalog
                .all()
                .forEach(participantCatalog -> participantCatalog
                        .list(McpListType.RESOURCES)
                        .forEach((uri, entry) -> {
                            if (facadeCaller.mayCallOrPropose(new Kind("mcp", "request", "resources/read", uri))) {
                                entries.putIfAbsent(uri, GavelMetaFields.removeFrom(entry, McpMetaFields.META));
                            }
                        }));
        return List.copyOf(entries.values());
    }

    List<Json> resourceTemplates() {
        Map<String, Json> entries = new LinkedHashMap<>();
        if (facadeCaller.mayCallOrPropose(new Kind("mcp", "request", "resources/read", null))) {
            topicCatalog
                    .all()
                    .forEach(participantCatalog -> participantCatalog
                            .list(McpListType.TEMPLATES)
                            .forEach((template, entry) -> entries.putIfAbsent(
                                    template, GavelMetaFields.removeFrom(entry, McpMetaFields.META))));
        }
        return List.copyOf(entries.values());
    }

    /**
     * Returns the participant that has a resource: the one that lists it, or else the one with the most specific
     * matching template.
     */
    Optional<CallTarget> findResource(String method, String uri) {
        return topicCatalog.all().stream()
                .filter(participantCatalog ->
                        participantCatalog.list(McpListType.RESOURCES).containsKey(uri))
                .findFirst()
                .or(() -> findByTemplate(uri))
                .map(participantCatalog -> new CallTarget(participantCatalog.participant(), method, uri));
    }

    /**
     * Finds the most specific template. A participant whose template matches everything must not capture the resources
     * of others.
     */
    private Optional<ParticipantCatalog> findByTemplate(String uri) {
        ParticipantCatalog best = null;
        int bestLength = -1;
        for (ParticipantCatalog participantCatalog : topicCatalog.all()) {
            for (String template :
                    participantCatalog.list(McpListType.TEMPLATES).keySet()) {
                int prefixLength = template.equals(uri)
                        ? Integer.MAX_VALUE
                        : ParticipantCatalog.matchesTemplate(template, uri)
                                ? ParticipantCatalog.literalPrefixLength(template)
                                : -1;
                if (prefixLength > bestLength) {
                    best = participantCatalog;
                    bestLength = prefixLength;
                }
            }
        }
        return Optional.ofNullable(best);
    }
}
