package dev.gavel.mcp.facade;

import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.directory.Offer;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a topic offers to one caller: what its participants offer, less what the caller may neither call nor propose. Names
 * that several offer have their participant's before them. Immutable.
 */
final class Catalogue {
    private static final String DIVIDER = "__";

    private final Collection<Offer> offers;
    private final Caller caller;
    private final Set<String> taken;

    /**
     * The catalogue of a moment.
     *
     * @param taken names of tools that are the facade's own
     */
    Catalogue(Collection<Offer> offers, Caller caller, Set<String> taken) {
        this.offers = List.copyOf(offers);
        this.caller = caller;
        this.taken = taken;
    }

    /** What is listed of tools or prompts, under the names by which the caller knows it. */
    List<Json> named(Listed what, String method) {
        List<Json> entries = new ArrayList<>();
        names(what).forEach((shown, place) -> {
            Kind request = new Kind("mcp", "request", method, place.name());
            if (caller.concernedWith(request)) {
                Json entry = place.entry();
                Json named = shown.equals(place.name()) ? entry : entry.with("name", Json.ofText(shown));
                entries.add(caller.mayEverCall(request) ? named : proposable(named));
            }
        });
        return entries;
    }

    /**
     * A tool that can only be proposed. It promises no form of its result: an answer that the call is pending, or what
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
        return Optional.ofNullable(names(what).get(shown))
                .map(place -> new Target(place.participant(), method, place.name()));
    }

    private record Place(String participant, String name, Json entry) {}

    private Map<String, Place> names(Listed what) {
        Map<String, Integer> count = new HashMap<>();
        offers.forEach(offer -> offer.of(what).keySet().forEach(name -> count.merge(name, 1, Integer::sum)));
        Map<String, Place> names = new LinkedHashMap<>();
        for (Offer offer : offers) {
            offer.of(what).forEach((name, entry) -> {
                boolean alone = count.getOrDefault(name, 0) == 1 && !taken.contains(name);
                String shown = alone ? name : plain(offer.participant()) + DIVIDER + name;
                while (names.containsKey(shown)) {
                    shown = shown + "_";
                }
                names.put(shown, new Place(offer.participant(), name, entry));
            });
        }
        return names;
    }

    /** Names of tools have fewer letters than ids of members. */
    private static String plain(String participant) {
        return participant.replaceAll("[^A-Za-z0-9_.-]", "_");
    }

    /** What is listed of resources; where several offer the same URI, the first of them does. */
    List<Json> resources() {
        Map<String, Json> entries = new LinkedHashMap<>();
        offers.forEach(offer -> offer.of(Listed.RESOURCES).forEach((uri, entry) -> {
            if (caller.concernedWith(new Kind("mcp", "request", "resources/read", uri))) {
                entries.putIfAbsent(uri, entry);
            }
        }));
        return List.copyOf(entries.values());
    }

    List<Json> templates() {
        Map<String, Json> entries = new LinkedHashMap<>();
        if (caller.concernedWith(new Kind("mcp", "request", "resources/read", null))) {
            offers.forEach(offer -> offer.of(Listed.TEMPLATES).forEach(entries::putIfAbsent));
        }
        return List.copyOf(entries.values());
    }

    /** Who has a resource: who lists it, else who has a template for it. */
    Optional<Target> resource(String method, String uri) {
        return offers.stream()
                .filter(offer -> offer.of(Listed.RESOURCES).containsKey(uri))
                .findFirst()
                .or(() -> offers.stream()
                        .filter(offer -> offer.of(Listed.TEMPLATES).keySet().stream()
                                .anyMatch(template -> template.equals(uri) || Offer.fits(template, uri)))
                        .findFirst())
                .map(offer -> new Target(offer.participant(), method, uri));
    }
}
