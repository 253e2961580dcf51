package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.text.DisplayNames;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names that texts use for the members of a topic: each member's display name, or its id if it has none. A display
 * name that could be taken for another member is followed by the member's id. Immutable.
 *
 * @param namesById the names of the members that have a display name
 * @param hiddenIds the members whose identity the reader must not learn
 */
public record MemberNames(Map<String, String> namesById, Set<String> hiddenIds) {
    /** Calls every member by its id. */
    public static final MemberNames IDS = new MemberNames(Map.of(), Set.of());

    /** The text for a member whose identity the reader must not learn. */
    private static final String HIDDEN = "a reviewer";

    public MemberNames {
        namesById = Map.copyOf(namesById);
        hiddenIds = Set.copyOf(hiddenIds);
    }

    /** Returns the names for a reader that must not learn who these members are. */
    public MemberNames hiding(Set<String> ids) {
        return new MemberNames(namesById, ids);
    }

    /**
     * Returns the names of these members.
     *
     * @param displayNamesById the display name of each member, as configured; the id for a member that has none
     */
    public static MemberNames of(Map<String, String> displayNamesById) {
        return new MemberNames(DisplayNames.distinct(displayNamesById), Set.of());
    }

    /** Returns the name of a member, for use within a sentence. */
    public String of(String id) {
        return hiddenIds.contains(id) ? HIDDEN : namesById.getOrDefault(id, id);
    }

    /** Returns the name of a member with its id, where a reader must not confuse two members. */
    public String withId(String id) {
        String name = of(id);
        return name.equals(id) || hiddenIds.contains(id) || name.endsWith("(" + id + ")")
                ? name
                : name + " (" + id + ")";
    }

    /** Returns a member's id, or a placeholder if the reader must not learn it. */
    public String id(String id) {
        return hiddenIds.contains(id) ? HIDDEN : id;
    }

    /** Returns the ids of these members, with one placeholder for all that the reader must not learn. */
    public List<String> ids(Collection<String> ids) {
        return ids.stream().map(this::id).distinct().toList();
    }

    /** Returns "alice", "alice or bob", "alice, bob or carol", with the members' names. */
    public String joinWithOr(Collection<String> ids) {
        return join(ids, " or ");
    }

    /** Returns "alice", "alice and bob", "alice, bob and carol", with the members' names. */
    public String joinWithAnd(Collection<String> ids) {
        return join(ids, " and ");
    }

    private String join(Collection<String> ids, String conjunction) {
        List<String> names = ids.stream().map(this::of).distinct().toList();
        return switch (names.size()) {
            case 0 -> "no member";
            case 1 -> names.getFirst();
            default -> String.join(", ", names.subList(0, names.size() - 1)) + conjunction + names.getLast();
        };
    }
}
