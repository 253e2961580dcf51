package dev.gavel.mcp.catalog;

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
 * A snapshot of what all participants of a topic offer, with a unique name for each tool and prompt. Names are worked
 * out once, however often they are looked up. Immutable, and thread-safe.
 */
public final class TopicCatalog {
    static final TopicCatalog EMPTY = new TopicCatalog(List.of());

    private static final String SEPARATOR = "__";

    private final Map<String, ParticipantCatalog> catalogs;
    private final Map<NamesKey, Map<String, NamedEntry>> namesByList = new ConcurrentHashMap<>();

    /**
     * Something under the name that the topic has for it.
     *
     * @param name what its participant calls it
     */
    public record NamedEntry(String participant, String name, Json entry) {}

    private record NamesKey(McpListType type, Set<String> reservedNames) {}

    /** These offers together. */
    public TopicCatalog(Collection<ParticipantCatalog> participantCatalogs) {
        Map<String, ParticipantCatalog> byId = new LinkedHashMap<>();
        participantCatalogs.forEach(
                participantCatalog -> byId.put(participantCatalog.participant(), participantCatalog));
        this.catalogs = byId;
    }

    /** What each participant offers, in the order of their ids. */
    public Collection<ParticipantCatalog> all() {
        return Collections.unmodifiableCollection(catalogs.values());
    }

    /** What one participant offers. */
    public Optional<ParticipantCatalog> ofParticipant(String participant) {
        return Optional.ofNullable(catalogs.get(participant));
    }

    /**
     * What is listed of tools or prompts, by names that are each one's alone. What several call the same, and what looks
     * as if its name already had a participant's before it, has its participant's before it: nobody can give
     * something the name under which another's is known.
     *
     * @param taken names that are nobody's
     */
    public Map<String, NamedEntry> byDisplayName(McpListType what, Set<String> taken) {
        return namesByList.computeIfAbsent(new NamesKey(what, taken), this::buildNames);
    }

    private Map<String, NamedEntry> buildNames(NamesKey namesKey) {
        Map<String, Integer> count = new HashMap<>();
        catalogs.values()
                .forEach(participantCatalog -> participantCatalog
                        .list(namesKey.type())
                        .keySet()
                        .forEach(name -> count.merge(name, 1, Integer::sum)));
        Set<String> prefixes =
                catalogs.keySet().stream().map(TopicCatalog::sanitize).collect(Collectors.toUnmodifiableSet());
        Set<String> given = new HashSet<>();
        Map<String, Map<String, String>> known = new HashMap<>();
        // Who has the longer id comes first: 'a' must not take what 'a__b' is known by.
        List<ParticipantCatalog> longestFirst = new ArrayList<>(catalogs.values());
        longestFirst.sort(Comparator.comparingInt((ParticipantCatalog participantCatalog) ->
                        sanitize(participantCatalog.participant()).length())
                .reversed());
        for (ParticipantCatalog participantCatalog : longestFirst) {
            Map<String, String> own = new HashMap<>();
            known.put(participantCatalog.participant(), own);
            participantCatalog.list(namesKey.type()).forEach((name, entry) -> {
                boolean alone = count.getOrDefault(name, 0) == 1
                        && !namesKey.reservedNames().contains(name)
                        && !hasParticipantPrefix(name, prefixes);
                String shown = alone ? name : sanitize(participantCatalog.participant()) + SEPARATOR + name;
                while (!given.add(shown)) {
                    shown = shown + "_";
                }
                own.put(name, shown);
            });
        }
        Map<String, NamedEntry> inOrder = new LinkedHashMap<>();
        for (ParticipantCatalog participantCatalog : catalogs.values()) {
            Map<String, String> own = known.getOrDefault(participantCatalog.participant(), Map.of());
            participantCatalog
                    .list(namesKey.type())
                    .forEach((name, entry) -> inOrder.put(
                            own.getOrDefault(name, name),
                            new NamedEntry(participantCatalog.participant(), name, entry)));
        }
        return Collections.unmodifiableMap(inOrder);
    }

    /** Whether a name looks like one with a participant's before it. */
    private static boolean hasParticipantPrefix(String name, Set<String> prefixes) {
        for (int at = name.indexOf(SEPARATOR); at >= 0; at = name.indexOf(SEPARATOR, at + 1)) {
            if (prefixes.contains(name.substring(0, at))) {
                return true;
            }
        }
        return false;
    }

    /** Names of tools have fewer letters than ids of members. */
    private static String sanitize(String participant) {
        return participant.replaceAll("[^A-Za-z0-9_.-]", "_");
    }
}
