package dev.gavel.web.console.topic;

import dev.gavel.web.console.topic.ActivityRow.Category;
import java.util.Arrays;
import java.util.Optional;

/**
 * Selects which activity rows of a topic are shown, by category and by participant. Immutable.
 *
 * @param category the only category to show; empty for all
 * @param participant the only participant whose rows are shown; empty for all
 */
public record ActivityFilter(Optional<Category> category, String participant) {
    /** Parses query parameters; an unknown category is ignored. */
    public static ActivityFilter parse(String show, String who) {
        return new ActivityFilter(
                Arrays.stream(Category.values())
                        .filter(each -> each.value().equals(show))
                        .findFirst(),
                who);
    }

    public boolean matches(ActivityRow row) {
        return (category.isEmpty() || category.get() == row.category())
                && (participant.isEmpty() || row.participant().equals(participant));
    }

    /** The value of the category in URLs and scripts; empty for all. */
    public String categoryValue() {
        return category.map(Category::value).orElse("");
    }

    /** Returns the query string of this filter with another category, which is empty for all categories. */
    public String query(String other) {
        String show = other.isEmpty() ? "" : "show=" + other;
        String by = participant.isEmpty() ? "" : "who=" + TopicPaths.encode(participant);
        String both = show + (show.isEmpty() || by.isEmpty() ? "" : "&") + by;
        return both.isEmpty() ? "" : "?" + both;
    }
}
