package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.LocalSchemaReference;
import dev.gavel.mcpx.json.Json;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the arguments that a tool's schema marks as secret, with {@code format: password} or {@code writeOnly}. Follows
 * references within the schema. If it cannot tell whether an argument is secret, because a reference leads nowhere or the
 * schema is too deep, the argument counts as secret. Schemas are untrusted, so the number of visited schemas is limited:
 * beyond that, all arguments are secret. Used once, by one thread.
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

    /** Keywords whose value refers to another schema for the same value. */
    private static final List<String> REFERENCES = List.of("$ref", "$dynamicRef", "$recursiveRef");

    private static final Set<String> ALL = Set.of("*");

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
        visit(root, root, null, 0);
        return visits > MAX_VISITS || patterns.size() > MAX_PATTERNS ? ALL : patterns;
    }

    /**
     * Visits a schema.
     *
     * @param enclosing the schema to which references that begin with {@code #} refer
     * @param path the path of the arguments that the schema describes; null for the arguments as a whole
     */
    private void visit(Json schema, Json enclosing, @Nullable String path, int depth) {
        if (schema.type() != Json.Type.OBJECT || patterns.size() > MAX_PATTERNS || ++visits > MAX_VISITS) {
            return;
        }
        if (depth > MAX_DEPTH
                || schema.at("writeOnly").isTrue()
                || schema.at("format").text().equalsIgnoreCase("password")) {
            addSecret(path);
            return;
        }
        Json base = LocalSchemaReference.isDocument(schema) ? schema : enclosing;
        schema.at("properties").members().forEach((name, each) -> visit(each, base, join(path, name), depth + 1));
        schema.at("patternProperties")
                .members()
                .values()
                .forEach(each -> visit(each, base, join(path, "*"), depth + 1));
        OTHER_PROPERTIES.forEach(keyword -> visit(schema.at(keyword), base, join(path, "*"), depth + 1));
        ELEMENT_SCHEMAS.forEach(keyword -> visit(schema.at(keyword), base, path, depth + 1));
        // Up to draft 2019-09, 'items' can be a list.
        schema.at("items").elements().forEach(each -> visit(each, base, path, depth + 1));
        schema.at("prefixItems").elements().forEach(each -> visit(each, base, path, depth + 1));
        SAME_VALUE_LISTS.forEach(
                keyword -> schema.at(keyword).elements().forEach(each -> visit(each, base, path, depth + 1)));
        SAME_VALUE_SCHEMAS.forEach(keyword -> visit(schema.at(keyword), base, path, depth + 1));
        for (String keyword : List.of("dependentSchemas", "dependencies")) {
            schema.at(keyword).members().values().forEach(each -> visit(each, base, path, depth + 1));
        }
        REFERENCES.forEach(keyword -> schema.at(keyword)
                .asText()
                .ifPresent(reference -> visitReference(keyword, reference, base, path, depth)));
    }

    private void visitReference(String keyword, String reference, Json base, @Nullable String path, int depth) {
        // Embedded documents can use the same reference for different schemas.
        String active = base.at("$id").text() + " " + reference;
        if (!activeReferences.add(active)) {
            return;
        }
        // A dynamic reference can lead to any schema of the document with this name.
        List<Json> targets = keyword.equals("$ref")
                ? LocalSchemaReference.resolve(root, base, reference).stream().toList()
                : LocalSchemaReference.resolveDynamic(root, base, reference);
        targets.forEach(target -> visit(target, base, path, depth + 1));
        if (targets.isEmpty()) {
            addSecret(path);
        }
        activeReferences.remove(active);
    }

    private void addSecret(@Nullable String path) {
        patterns.add(path == null ? "*" : path);
    }

    private static String join(@Nullable String path, String name) {
        return path == null ? name : path + "." + name;
    }
}
