package dev.gavel.gateway.tool;

import dev.gavel.mcpx.json.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Resolves references within a JSON schema: to a place ({@code #/$defs/address}), to an anchor ({@code #address}) and to
 * an embedded document ({@code address.json}). Stateless.
 */
public final class LocalSchemaReference {
    /** Limits the values that a search visits, because schemas are untrusted. */
    private static final int MAX_VISITS = 10_000;

    private static final Set<String> IDS = Set.of("$id", "id");
    private static final Set<String> ANCHORS = Set.of("$anchor", "$dynamicAnchor");

    private LocalSchemaReference() {}

    /** Returns the schema to which a reference leads; empty if the schema has no such place. */
    public static Optional<Json> resolve(Json root, String reference) {
        return resolve(root, root, reference);
    }

    /**
     * Returns the schema to which a reference in an embedded document leads.
     *
     * @param document the embedded document that contains the reference, or the root
     */
    public static Optional<Json> resolve(Json root, Json document, String reference) {
        int sign = reference.indexOf('#');
        String id = sign < 0 ? reference : reference.substring(0, sign);
        String fragment = sign < 0 ? "" : reference.substring(sign + 1);
        Optional<Json> base = id.isEmpty()
                ? Optional.of(document)
                : find(root, schema -> schema.at("$id").text().equals(id)).stream()
                        .findFirst();
        return base.flatMap(schema -> fragment.isEmpty()
                ? Optional.of(schema)
                : fragment.startsWith("/")
                        ? resolvePointer(schema, fragment)
                        : find(schema, each -> hasAnchor(each, ANCHORS, fragment)).stream()
                                .findFirst());
    }

    /** Returns all schemas to which a {@code $dynamicRef} or {@code $recursiveRef} can lead. */
    public static List<Json> resolveDynamic(Json root, Json document, String reference) {
        List<Json> found =
                new ArrayList<>(resolve(root, document, reference).stream().toList());
        String name = reference.substring(reference.indexOf('#') + 1);
        found.addAll(
                name.isEmpty() ? List.of(root) : find(root, each -> hasAnchor(each, Set.of("$dynamicAnchor"), name)));
        return found;
    }

    /** Whether references that begin with {@code #} within a schema refer to this schema, and not to an outer one. */
    public static boolean isDocument(Json schema) {
        return schema.at("$id").asText().filter(id -> !id.startsWith("#")).isPresent();
    }

    private static boolean hasAnchor(Json schema, Set<String> keywords, String name) {
        // Up to draft 7, an id that begins with '#' is an anchor.
        return keywords.stream().anyMatch(each -> schema.at(each).text().equals(name))
                || IDS.stream().anyMatch(each -> schema.at(each).text().equals("#" + name));
    }

    private static Optional<Json> resolvePointer(Json schema, String pointer) {
        Json found = schema;
        for (String step : pointer.substring(1).split("/", -1)) {
            String name = decode(step).replace("~1", "/").replace("~0", "~");
            found = found.type() == Json.Type.ARRAY ? element(found, name) : found.at(name);
        }
        return Optional.of(found).filter(Json::isPresent);
    }

    private static Json element(Json array, String index) {
        for (int i = 0; i < array.elements().size(); i++) {
            if (index.equals(Integer.toString(i))) {
                return array.elements().get(i);
            }
        }
        return Json.object().at(index);
    }

    /** Decodes percent-encoded characters. A plus sign stays as it is. */
    private static String decode(String step) {
        try {
            return step.indexOf('%') < 0 ? step : URLDecoder.decode(step.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return step;
        }
    }

    private static List<Json> find(Json root, Predicate<Json> predicate) {
        List<Json> found = new ArrayList<>();
        Deque<Json> queue = new ArrayDeque<>(List.of(root));
        for (int visits = 0; !queue.isEmpty() && visits < MAX_VISITS; visits++) {
            Json value = queue.poll();
            if (value.type() == Json.Type.OBJECT && predicate.test(value)) {
                found.add(value);
            }
            queue.addAll(value.members().values());
            queue.addAll(value.elements());
        }
        return found;
    }
}
