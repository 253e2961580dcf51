package dev.gavel.web.console.topic;

import dev.gavel.web.console.topic.ActivityRow.Category;
import java.util.Arrays;
import java.util.Optional;

/**
 * Selects which activity rows of a topic are shown, by category and by participant. Immutable.
 *
 * @param category only these; all where nothing is said
 * @param participant only what this one did; everybody's where it is empty
 */
public record ActivityFilter(Optional<Category> category, String participant) {
    /** The filter that an address asks for; what it does not know it passes over. */
    public static ActivityFilter parse(String show, String who) {
        return new ActivityFilter(
                Arrays.stream(Category.values())
                        .filter(each -> each.word().equals(show))
                        .findFirst(),
                who);
    }

    /** Whether a row is to be seen. */
    public boolean matches(ActivityRow row) {
        return (category.isEmpty() || category.get() == row.category())
                && (participant.isEmpty() || row.participant().equals(participant));
    }

    /** What it is called in addresses and scripts; empty for all. */
    public String categoryValue() {
        return category.map(Category::word).orElse("");
    }

    /** The query of the same with another sort: empty for all of it. */
    public String query(String other) {
        String show = other.isEmpty() ? "" : "show=" + other;
        String by = participant.isEmpty() ? "" : "who=" + TopicPaths.encode(participant);
        String both = show + (show.isEmpty() || by.isEmpty() ? "" : "&") + by;
        return both.isEmpty() ? "" : "?" + both;
    }
}
