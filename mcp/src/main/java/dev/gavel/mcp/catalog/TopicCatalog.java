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
 * A snapshot of the tools, prompts and resources that a topic's participants offer, with a unique name for each tool
 * and prompt. Names are computed once and cached. Immutable, and thread-safe.
 */
public final class TopicCatalog {
    static final TopicCatalog EMPTY = new TopicCatalog(List.of());

    private static final String SEPARATOR = "__";

    private final Map<String, ParticipantCatalog> catalogs;
    private final Map<NamesKey, Map<String, NamedEntry>> namesByList = new ConcurrentHashMap<>();

    /**
     * An entry that is listed under its unique name in the topic.
     *
     * @param name the participant's own name for the entry
     */
    public record NamedEntry(String participant, String name, Json entry) {}

    private record NamesKey(McpListType type, Set<String> reservedNames) {}

    /** Creates a catalog of these participants. */
    public TopicCatalog(Collection<ParticipantCatalog> participantCatalogs) {
        Map<String, ParticipantCatalog> byId = new LinkedHashMap<>();
        participantCatalogs.forEach(
                participantCatalog -> byId.put(participantCatalog.participant(), participantCatalog));
        this.catalogs = byId;
    }

    /** Returns the catalog of each participant, ordered by id. */
    public Collection<ParticipantCatalog> all() {
        return Collections.unmodifiableCollection(catalogs.values());
    }

    /** Returns the catalog of one participant. */
    public Optional<ParticipantCatalog> findParticipant(String participant) {
        return Optional.ofNullable(catalogs.get(participant));
    }

    /**
     * Returns the tools or prompts by names that are unique in the topic. A name is prefixed with its participant's id
     * if several participants use it, or if it looks as if it already had such a prefix. So no participant can give an
     * entry the name under which another participant's entry is known.
     *
     * @param reservedNames reserved names, which no participant may use without a prefix
     */
    public Map<String, NamedEntry> byDisplayName(McpListType listType, Set<String> reservedNames) {
        return namesByList.computeIfAbsent(new NamesKey(listType, reservedNames), this::buildNames);
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
        Set<String> usedNames = new HashSet<>();
        Map<String, Map<String, String>> displayNames = new HashMap<>();
        // Participants with longer ids are named first: 'a' must not take a name that belongs to 'a__b'.
        List<ParticipantCatalog> longestFirst = new ArrayList<>(catalogs.values());
        longestFirst.sort(Comparator.comparingInt((ParticipantCatalog participantCatalog) ->
                        sanitize(participantCatalog.participant()).length())
                .reversed());
        for (ParticipantCatalog participantCatalog : longestFirst) {
            Map<String, String> participantNames = new HashMap<>();
            displayNames.put(participantCatalog.participant(), participantNames);
            participantCatalog.list(namesKey.type()).forEach((name, entry) -> {
                boolean unique = count.getOrDefault(name, 0) == 1
                        && !namesKey.reservedNames().contains(name)
                        && !hasParticipantPrefix(name, prefixes);
                String displayName = unique ? name : sanitize(participantCatalog.participant()) + SEPARATOR + name;
                while (!usedNames.add(displayName)) {
                    displayName = displayName + "_";
                }
                participantNames.put(name, displayName);
            });
        }
        Map<String, NamedEntry> entriesByName = new LinkedHashMap<>();
        for (ParticipantCatalog participantCatalog : catalogs.values()) {
            Map<String, String> participantNames =
                    displayNames.getOrDefault(participantCatalog.participant(), Map.of());
            participantCatalog
                    .list(namesKey.type())
                    .forEach((name, entry) -> entriesByName.put(
                            participantNames.getOrDefault(name, name),
                            new NamedEntry(participantCatalog.participant(), name, entry)));
        }
        return Collections.unmodifiableMap(entriesByName);
    }

    /**
     * Whether a participant's tool or prompt may have had this display name at some time.
     *
     * @param name the participant's own name for the entry
     * @param members the ids of all members that could have been connected
     */
    public static boolean mayBeNamed(String displayName, String participant, String name, Collection<String> members) {
        return displayName.equals(sanitize(participant) + SEPARATOR + name)
                || (displayName.equals(name)
                        && !hasParticipantPrefix(
                                name,
                                members.stream().map(TopicCatalog::sanitize).collect(Collectors.toUnmodifiableSet())));
    }

    /** Whether a name looks as if it began with the id of a participant. */
    private static boolean hasParticipantPrefix(String name, Set<String> prefixes) {
        for (int at = name.indexOf(SEPARATOR); at >= 0; at = name.indexOf(SEPARATOR, at + 1)) {
            if (prefixes.contains(name.substring(0, at))) {
                return true;
            }
        }
        return false;
    }

    /** Tool names allow fewer characters than member ids. */
    private static String sanitize(String participant) {
        return participant.replaceAll("[^A-Za-z0-9_.-]", "_");
    }
}
