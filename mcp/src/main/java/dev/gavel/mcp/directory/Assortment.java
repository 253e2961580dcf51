package dev.gavel.mcp.directory;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What all participants of a topic offer at one moment. Names are worked out once, however often they are looked up.
 * Immutable, and thread-safe.
 */
public final class Assortment {
    static final Assortment NOTHING = new Assortment(List.of());

    private static final String DIVIDER = "__";

    private final Map<String, Offer> offers;
    private final Map<Naming, Map<String, Named>> names = new ConcurrentHashMap<>();

    /**
     * Something under the name that the topic has for it.
     *
     * @param name what its participant calls it
     */
    public record Named(String participant, String name, Json entry) {}

    private record Naming(Listed what, Set<String> taken) {}

    /** These offers together. */
    public Assortment(Collection<Offer> offers) {
        Map<String, Offer> byId = new LinkedHashMap<>();
        offers.forEach(offer -> byId.put(offer.participant(), offer));
        this.offers = byId;
    }

    /** What each participant offers, in the order of their ids. */
    public Collection<Offer> all() {
        return Collections.unmodifiableCollection(offers.values());
    }

    /** What one participant offers. */
    public Optional<Offer> of(String participant) {
        return Optional.ofNullable(offers.get(participant));
    }

    /**
     * What is listed of tools or prompts, by names that are each one's alone. What several call the same, and what looks
     * as if its name already had a participant's before it, has its participant's before it: nobody can give
     * something the name under which another's is known.
     *
     * @param taken names that are nobody's
     */
    public Map<String, Named> names(Listed what, Set<String> taken) {
        return names.computeIfAbsent(new Naming(what, taken), this::work);
    }

    private Map<String, Named> work(Naming naming) {
        Map<String, Integer> count = new HashMap<>();
        offers.values()
                .forEach(offer -> offer.of(naming.what()).keySet().forEach(name -> count.merge(name, 1, Integer::sum)));
        Set<String> prefixes = offers.keySet().stream().map(Assortment::plain).collect(Collectors.toUnmodifiableSet());
        Set<String> given = new HashSet<>();
        Map<String, Map<String, String>> known = new HashMap<>();
        // Who has the longer id comes first: 'a' must not take what 'a__b' is known by.
        List<Offer> longestFirst = new ArrayList<>(offers.values());
        longestFirst.sort(Comparator.comparingInt(
                        (Offer offer) -> plain(offer.participant()).length())
                .reversed());
        for (Offer offer : longestFirst) {
            Map<String, String> own = new HashMap<>();
            known.put(offer.participant(), own);
            offer.of(naming.what()).forEach((name, entry) -> {
                boolean alone =
                        count.getOrDefault(name, 0) == 1 && !naming.taken().contains(name) && !prefixed(name, prefixes);
                String shown = alone ? name : plain(offer.participant()) + DIVIDER + name;
                while (!given.add(shown)) {
                    shown = shown + "_";
                }
                own.put(name, shown);
            });
        }
        Map<String, Named> inOrder = new LinkedHashMap<>();
        for (Offer offer : offers.values()) {
            Map<String, String> own = known.getOrDefault(offer.participant(), Map.of());
            offer.of(naming.what())
                    .forEach((name, entry) ->
                            inOrder.put(own.getOrDefault(name, name), new Named(offer.participant(), name, entry)));
        }
        return Collections.unmodifiableMap(inOrder);
    }

    /** Whether a name looks like one with a participant's before it. */
    private static boolean prefixed(String name, Set<String> prefixes) {
        for (int at = name.indexOf(DIVIDER); at >= 0; at = name.indexOf(DIVIDER, at + 1)) {
            if (prefixes.contains(name.substring(0, at))) {
                return true;
            }
        }
        return false;
    }

    /** Names of tools have fewer letters than ids of members. */
    private static String plain(String participant) {
        return participant.replaceAll("[^A-Za-z0-9_.-]", "_");
    }
}
