package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A row on a SEP's page: one kind of relation, such as "Superseded by", and the numbers of the related SEPs.
 *
 * @param relation the relation as text
 */
public record RelatedSepsRow(String relation, List<Integer> numbers) {
    private static final int MAX_NUMBERS = 50;

    private static final Map<String, String> WORDS = Map.of(
            "supersedes", "Supersedes",
            "replaces", "Replaces",
            "requires", "Requires",
            "supersededBy", "Superseded by",
            "replacedBy", "Replaced by",
            "requiredBy", "Required by");

    public RelatedSepsRow {
        numbers = List.copyOf(numbers);
    }

    static List<RelatedSepsRow> of(Json show) {
        return show.at("links").members().entrySet().stream()
                .filter(each -> !each.getValue().elements().isEmpty())
                .map(each -> new RelatedSepsRow(
                        Objects.requireNonNullElse(WORDS.get(each.getKey()), each.getKey()),
                        each.getValue().elements().stream()
                                .limit(MAX_NUMBERS)
                                .map(number -> (int) number.asLong(0))
                                .toList()))
                .toList();
    }
}
