package dev.gavel.mcp.facade.desk;

import dev.gavel.mcp.directory.Assortment;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.directory.Offer;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Target;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a topic offers to one caller: what its participants offer, less what the caller may neither call nor propose.
 * Immutable.
 */
final class Catalogue {
    private final Assortment offers;
    private final Caller caller;
    private final Set<String> taken;

    /**
     * The catalogue of a moment.
     *
     * @param taken names of tools that are the facade's own
     */
    Catalogue(Assortment offers, Caller caller, Set<String> taken) {
        this.offers = offers;
        this.caller = caller;
        this.taken = taken;
    }

    /** What is listed of tools or prompts, under the names by which the caller knows it. */
    List<Json> named(Listed what, String method) {
        List<Json> entries = new ArrayList<>();
        offers.names(what, taken).forEach((shown, place) -> {
            Kind request = new Kind("mcp", "request", method, place.name());
            if (caller.concernedWith(request)) {
                Json entry = place.entry();
                Json named = shown.equals(place.name()) ? entry : entry.with("name", Json.ofText(shown));
                entries.add(caller.member().capabilities().admitsAnyPayload(request) ? named : proposable(named));
            }
        });
        return entries;
    }

    /**
     * A tool of which some call, if not every, can only be proposed. It promises no form of its result: an answer that the call is pending, or what
     * became of it, would break that promise, and clients throw such answers away.
     */
    private static Json proposable(Json tool) {
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
    Optional<Target> named(Listed what, String method, String shown) {
        return Optional.ofNullable(offers.names(what, taken).get(shown))
                .map(place -> new Target(place.participant(), method, place.name()));
    }

    /** What is listed of resources; where several offer the same URI, the first of them does. */
    List<Json> resources() {
        Map<String, Json> entries = new LinkedHashMap<>();
        offers.all()
                .forEach(offer -> offer.of(Listed.RESOURCES).forEach((uri, entry) -> {
                    if (caller.concernedWith(new Kind("mcp", "request", "resources/read", uri))) {
                        entries.putIfAbsent(uri, entry);
                    }
                }));
        return List.copyOf(entries.values());
    }

    List<Json> templates() {
        Map<String, Json> entries = new LinkedHashMap<>();
        if (caller.concernedWith(new Kind("mcp", "request", "resources/read", null))) {
            offers.all().forEach(offer -> offer.of(Listed.TEMPLATES).forEach(entries::putIfAbsent));
        }
        return List.copyOf(entries.values());
    }

    /** Who has a resource: who lists it, else who has the template for it that says most of it. */
    Optional<Target> resource(String method, String uri) {
        return offers.all().stream()
                .filter(offer -> offer.of(Listed.RESOURCES).containsKey(uri))
                .findFirst()
                .or(() -> byTemplate(uri))
                .map(offer -> new Target(offer.participant(), method, uri));
    }

    /** Whoever says the least, with a template that fits everything, is asked last: others' resources are not theirs. */
    private Optional<Offer> byTemplate(String uri) {
        Offer found = null;
        int most = -1;
        for (Offer offer : offers.all()) {
            for (String template : offer.of(Listed.TEMPLATES).keySet()) {
                int head = template.equals(uri)
                        ? Integer.MAX_VALUE
                        : Offer.fits(template, uri) ? Offer.head(template) : -1;
                if (head > most) {
                    found = offer;
                    most = head;
                }
            }
        }
        return Optional.ofNullable(found);
    }
}
