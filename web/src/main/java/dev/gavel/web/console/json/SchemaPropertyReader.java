package dev.gavel.web.console.json;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Lists the properties that a JSON schema describes, for people who write arguments. Stateless. */
public final class SchemaPropertyReader {
    private static final int MAX_VALUES = 20;

    private SchemaPropertyReader() {}

    /**
     * A property that a schema describes.
     *
     * @param type the type as text; empty if any type is allowed
     */
    public record SchemaProperty(String name, String type, boolean required, String description) {}

    /** Returns the properties that a schema describes for an object. */
    public static List<SchemaProperty> read(Json root) {
        Set<String> required = Set.copyOf(root.at("required").texts());
        return root.at("properties").members().entrySet().stream()
                .map(entry -> new SchemaProperty(
                        entry.getKey(),
                        describe(entry.getValue()),
                        required.contains(entry.getKey()),
                        entry.getValue().at("description").text()))
                .toList();
    }

    private static String describe(Json schema) {
        List<Json> allowed = schema.at("enum").elements();
        return allowed.isEmpty()
                ? String.join(" or ", schema.at("type").texts())
                : joinWithOr(
                        allowed.stream().limit(MAX_VALUES).map(Json::compact).toList());
    }

    private static String joinWithOr(List<String> words) {
        return words.size() < 2
                ? String.join("", words)
                : words.stream().limit(words.size() - 1L).collect(Collectors.joining(", ")) + " or " + words.getLast();
    }
}
