package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Other SEPs that one names, or that name it.
 *
 * @param how what they are to it
 */
public record Related(String how, List<Integer> numbers) {
    private static final int MOST = 50;

    private static final Map<String, String> WORDS = Map.of(
            "supersedes", "Supersedes",
            "replaces", "Replaces",
            "requires", "Requires",
            "supersededBy", "Superseded by",
            "replacedBy", "Replaced by",
            "requiredBy", "Required by");

    public Related {
        numbers = List.copyOf(numbers);
    }

    static List<Related> of(Json show) {
        return show.at("links").members().entrySet().stream()
                .filter(each -> !each.getValue().elements().isEmpty())
                .map(each -> new Related(
                        Objects.requireNonNullElse(WORDS.get(each.getKey()), each.getKey()),
                        each.getValue().elements().stream()
                                .limit(MOST)
                                .map(number -> (int) number.number(0))
                                .toList()))
                .toList();
    }
}
