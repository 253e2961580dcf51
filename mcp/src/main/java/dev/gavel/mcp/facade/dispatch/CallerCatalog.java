package dev.gavel.mcp.facade.dispatch;

import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.catalog.ParticipantCatalog;
import dev.gavel.mcp.catalog.TopicCatalog;
import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.FacadeCaller;
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
     * The catalogue of a moment.
     *
     * @param taken names of tools that are the facade's own
     */
    CallerCatalog(TopicCatalog offers, FacadeCaller caller, Set<String> taken) {
        this.topicCatalog = offers;
        this.facadeCaller = caller;
        this.reservedNames = taken;
    }

    /** What is listed of tools or prompts, under the names by which the caller knows it. */
    List<Json> byName(McpListType what, String method) {
        List<Json> entries = new ArrayList<>();
        topicCatalog.byDisplayName(what, reservedNames).forEach((shown, place) -> {
            Kind request = new Kind("mcp", "request", method, place.name());
            if (facadeCaller.mayCallOrPropose(request)) {
                Json entry = place.entry();
                Json named = shown.equals(place.name()) ? entry : entry.with("name", Json.ofText(shown));
                entries.add(
                        facadeCaller.member().capabilitySet().admitsAnyPayload(request)
                                ? named
                                : markNeedsApproval(named));
            }
        });
        return entries;
    }

    /**
     * A tool of which some call, if not every, can only be proposed. It promises no form of its result: an answer that the call is pending, or what
     * became of it, would break that promise, and clients throw such answers away.
     */
    private static Json markNeedsApproval(Json tool) {
        return Json.write(json -> {
            json.writeStartObject();
            tool.members().forEach((name, value) -> {
                if (!name.equals("outputSchema") && !name.equals("_meta")) {
                    json.writeName(name);
                    json.writeRawValue(value.raw());
                }
            });
            json.writeObjectPropertyStart("_meta");
            tool.at("_meta").members().forEach((name, value) -> {
                json.writeName(name);
                json.writeRawValue(value.raw());
            });
            json.writeBooleanProperty("dev.gavel/needsApproval", true);
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    /** Who runs a tool or gives a prompt that the caller knows under that name. */
    Optional<CallTarget> byName(McpListType what, String method, String shown) {
        return Optional.ofNullable(
                        topicCatalog.byDisplayName(what, reservedNames).get(shown))
                .map(place -> new CallTarget(place.participant(), method, place.name()));
    }

    /** What is listed of resources; where several offer the same URI, the first of them does. */
    List<Json> resources() {
        Map<String, Json> entries = new LinkedHashMap<>();
        topicCatalog
                .all()
                .forEach(participantCatalog -> participantCatalog
                        .list(McpListType.RESOURCES)
                        .forEach((uri, entry) -> {
                            if (facadeCaller.mayCallOrPropose(new Kind("mcp", "request", "resources/read", uri))) {
                                entries.putIfAbsent(uri, entry);
                            }
                        }));
        return List.copyOf(entries.values());
    }

    List<Json> resourceTemplates() {
        Map<String, Json> entries = new LinkedHashMap<>();
        if (facadeCaller.mayCallOrPropose(new Kind("mcp", "request", "resources/read", null))) {
            topicCatalog
                    .all()
                    .forEach(participantCatalog ->
                            participantCatalog.list(McpListType.TEMPLATES).forEach(entries::putIfAbsent));
        }
        return List.copyOf(entries.values());
    }

    /** Who has a resource: who lists it, else who has the template for it that says most of it. */
    Optional<CallTarget> findResource(String method, String uri) {
        return topicCatalog.all().stream()
                .filter(participantCatalog ->
                        participantCatalog.list(McpListType.RESOURCES).containsKey(uri))
                .findFirst()
                .or(() -> findByTemplate(uri))
                .map(participantCatalog -> new CallTarget(participantCatalog.participant(), method, uri));
    }

    /** Whoever says the least, with a template that fits everything, is asked last: others' resources are not theirs. */
    private Optional<ParticipantCatalog> findByTemplate(String uri) {
        ParticipantCatalog found = null;
        int most = -1;
        for (ParticipantCatalog participantCatalog : topicCatalog.all()) {
            for (String template :
                    participantCatalog.list(McpListType.TEMPLATES).keySet()) {
                int head = template.equals(uri)
                        ? Integer.MAX_VALUE
                        : ParticipantCatalog.matchesTemplate(template, uri)
                                ? ParticipantCatalog.literalPrefixLength(template)
                                : -1;
                if (head > most) {
                    found = participantCatalog;
                    most = head;
                }
            }
        }
        return Optional.ofNullable(found);
    }
}
