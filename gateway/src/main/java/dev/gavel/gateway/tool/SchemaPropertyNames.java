package dev.gavel.gateway.tool;

import dev.gavel.mcpx.json.Json;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Collects the names that a JSON schema gives to the properties of one object, and the schemas of their values. Not
 * thread-safe.
 */
final class SchemaPropertyNames {
    /** Limits the schemas that are visited: a schema can refer to itself. */
    private static final int MAX_SCHEMAS = 200;

    private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");
    private static final List<String> SINGLES = List.of("if", "then", "else");
    private static final List<String> MAPS = List.of("dependentSchemas", "dependencies");

    private final Json root;
    private final Set<String> names = new LinkedHashSet<>();

    /** By identity: comparing large schemas would take long. */
    private final Set<Json> visited = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean listsProperties;
    private boolean open;

    /**
     * Collects the names.
     *
     * @param root the document to which references in the schemas refer
     * @param schemas the schemas that apply to the value
     */
    SchemaPropertyNames(Json root, List<Json> schemas) {
        this.root = root;
        schemas.forEach(this::visit);
    }

    /**
     * Returns the names that the schemas list, including those of the schemas that they combine; empty if they list
     * none, or say that they accept other names.
     */
    Optional<Set<String>> names() {
        return open || !listsProperties ? Optional.empty() : Optional.of(names);
    }

    /** The number of schemas that were visited. */
    int visitedCount() {
        return visited.size();
    }

    /** Returns the schemas that apply to the value of a property. */
    List<Json> property(String name) {
        return visited.stream()
                .map(schema -> schema.at("properties").at(name).isPresent()
                        ? schema.at("properties").at(name)
                        : schema.at("additionalProperties"))
                .filter(Json::isPresent)
                .toList();
    }

    /** Returns the schemas that apply to an element of an array. */
    List<Json> element(int index) {
        return visited.stream()
                .map(schema -> index < schema.at("prefixItems").elements().size()
                        ? schema.at("prefixItems").elements().get(index)
                        : schema.at("items"))
                .filter(Json::isPresent)
                .toList();
    }

    private void visit(Json schema) {
        if (schema.type() != Json.Type.OBJECT || visited.contains(schema)) {
            return;
        }
        if (visited.size() >= MAX_SCHEMAS) {
            open = true;
            return;
        }
        visited.add(schema);
        Json properties = schema.at("properties");
        listsProperties |= properties.type() == Json.Type.OBJECT;
        names.addAll(properties.members().keySet());
        open |= acceptsOthers(schema);
        LISTS.forEach(keyword -> schema.at(keyword).elements().forEach(this::visit));
        SINGLES.forEach(keyword -> visit(schema.at(keyword)));
        MAPS.forEach(keyword -> schema.at(keyword).members().values().forEach(this::visit));
        schema.at("$ref").asText().ifPresent(this::visitReference);
        open |= schema.at("$dynamicRef").isPresent()
                || schema.at("$recursiveRef").isPresent();
    }

    private static boolean acceptsOthers(Json schema) {
        return isOpen(schema.at("additionalProperties"))
                || isOpen(schema.at("unevaluatedProperties"))
                || schema.at("patternProperties").isPresent();
    }

    private static boolean isOpen(Json others) {
        return others.isTrue() || others.type() == Json.Type.OBJECT;
    }

    private void visitReference(String reference) {
        // A reference to another document may lead to more names.
        LocalSchemaReference.resolve(root, reference).ifPresentOrElse(this::visit, () -> open = true);
    }
}
