package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.LocalSchemaReference;
import dev.gavel.mcpx.json.Json;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the arguments that a tool's schema marks as secret, with {@code format: password} or {@code writeOnly}. Follows
 * references within the schema. Schemas are untrusted, so the number of visited schemas is limited. Used once, by one
 * thread.
 */
final class SchemaSecretFinder {
    private static final int MAX_PATTERNS = 100;
    private static final int MAX_DEPTH = 20;
    private static final int MAX_VISITS = 5_000;

    /** Keywords whose schemas describe the same value. */
    private static final List<String> SAME_VALUE_LISTS = List.of("allOf", "anyOf", "oneOf");

    private static final List<String> SAME_VALUE_SCHEMAS = List.of("if", "then", "else");

    /** Keywords whose schemas describe the elements of an array, which have the path of the array. */
    private static final List<String> ELEMENT_SCHEMAS =
            List.of("items", "additionalItems", "unevaluatedItems", "contains");

    /** Keywords whose schemas describe properties with other names. */
    private static final List<String> OTHER_PROPERTIES = List.of("additionalProperties", "unevaluatedProperties");

    private final Json root;
    private final Set<String> patterns = new LinkedHashSet<>();

    /** The references that lead to the schema that is being visited: a schema can refer to itself. */
    private final Set<String> activeReferences = new HashSet<>();

    private int visits;

    SchemaSecretFinder(Json root) {
        this.root = root;
    }

    /** Returns the patterns of the secret arguments. */
    Set<String> find() {
        visit(root, "", 0);
        return patterns;
    }

    private void visit(Json schema, String path, int depth) {
        if (schema.type() != Json.Type.OBJECT
                || depth > MAX_DEPTH
                || patterns.size() >= MAX_PATTERNS
                || ++visits > MAX_VISITS) {
            return;
        }
        if (!path.isEmpty()
                && (schema.at("writeOnly").isTrue()
                        || schema.at("format").text().equals("password"))) {
            if (SecretArgumentPatterns.problem(path).isEmpty()) {
                patterns.add(path);
            }
            return;
        }
        schema.at("properties").members().forEach((name, each) -> visit(each, join(path, name), depth + 1));
        schema.at("patternProperties").members().values().forEach(each -> visit(each, join(path, "*"), depth + 1));
        OTHER_PROPERTIES.forEach(keyword -> visit(schema.at(keyword), join(path, "*"), depth + 1));
        ELEMENT_SCHEMAS.forEach(keyword -> visit(schema.at(keyword), path, depth + 1));
        // Up to draft 2019-09, 'items' can be a list.
        schema.at("items").elements().forEach(each -> visit(each, path, depth + 1));
        schema.at("prefixItems").elements().forEach(each -> visit(each, path, depth + 1));
        SAME_VALUE_LISTS.forEach(
                keyword -> schema.at(keyword).elements().forEach(each -> visit(each, path, depth + 1)));
        SAME_VALUE_SCHEMAS.forEach(keyword -> visit(schema.at(keyword), path, depth + 1));
        for (String keyword : List.of("dependentSchemas", "dependencies")) {
            schema.at(keyword).members().values().forEach(each -> visit(each, path, depth + 1));
        }
        schema.at("$ref").asText().ifPresent(reference -> visitReference(reference, path, depth));
    }

    private void visitReference(String reference, String path, int depth) {
        if (activeReferences.add(reference)) {
            LocalSchemaReference.resolve(root, reference).ifPresent(schema -> visit(schema, path, depth + 1));
            activeReferences.remove(reference);
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
