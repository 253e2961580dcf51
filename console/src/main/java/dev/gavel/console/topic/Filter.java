package dev.gavel.console.topic;

import dev.gavel.console.topic.Row.Sort;
import java.util.Arrays;
import java.util.Optional;

/**
 * Which rows somebody wants to see. Immutable.
 *
 * @param sort only these; all where nothing is said
 * @param who only what this one did; everybody's where it is empty
 */
public record Filter(Optional<Sort> sort, String who) {
    /** The filter that an address asks for; what it does not know it passes over. */
    public static Filter read(String show, String who) {
        return new Filter(
                Arrays.stream(Sort.values())
                        .filter(each -> each.word().equals(show))
                        .findFirst(),
                who);
    }

    /** Whether a row is to be seen. */
    public boolean passes(Row row) {
        return (sort.isEmpty() || sort.get() == row.sort())
                && (who.isEmpty() || row.who().equals(who));
    }

    /** What it is called in addresses and scripts; empty for all. */
    public String word() {
        return sort.map(Sort::word).orElse("");
    }

    /** The query of the same with another sort: empty for all of it. */
    public String query(String other) {
        String show = other.isEmpty() ? "" : "show=" + other;
        String by = who.isEmpty() ? "" : "who=" + Paths.part(who);
        String both = show + (show.isEmpty() || by.isEmpty() ? "" : "&") + by;
        return both.isEmpty() ? "" : "?" + both;
    }
}
