package dev.gavel.gateway.tool;

import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the fields of arguments that the schema does not name, also in nested objects. Many schemas do not forbid other
 * names, but a mistyped name means that the call runs without the reviewer's value. So a field that the schema does not
 * name is unknown unless the schema explicitly allows other names. Not thread-safe.
 */
final class UnknownArgumentFinder {
    private static final int MAX_STEPS = 50_000;

    private final Json root;
    private final int limit;
    private final List<UnknownName> found = new ArrayList<>();
    private int steps;

    /**
     * A field that the schema does not name.
     *
     * @param path the names and indexes that lead from the arguments to the field
     * @param known the names that the schema gives to the fields of this object
     */
    record UnknownName(List<Object> path, Set<String> known) {
        UnknownName {
            path = List.copyOf(path);
        }
    }

    private UnknownArgumentFinder(Json schema, int limit) {
        this.root = schema;
        this.limit = limit;
    }

    /**
     * Returns the fields that the schema does not name, at most {@code limit}.
     *
     * @throws ToolArgumentValidator.LimitExceededException if that takes too many steps
     */
    static List<UnknownName> find(Json schema, Json arguments, int limit) {
        UnknownArgumentFinder finder = new UnknownArgumentFinder(schema, limit);
        finder.visit(List.of(schema), arguments, List.of());
        return finder.found;
    }

    private void visit(List<Json> schemas, Json value, List<Object> path) {
        boolean object = value.type() == Json.Type.OBJECT;
        if (schemas.isEmpty() || !(object || value.type() == Json.Type.ARRAY)) {
            return;
        }
        SchemaPropertyNames properties = new SchemaPropertyNames(root, schemas);
        steps += properties.visitedCount();
        if (steps > MAX_STEPS) {
            throw new ToolArgumentValidator.LimitExceededException("its schema takes too long to check");
        }
        if (!object) {
            List<Json> elements = value.elements();
            for (int i = 0; i < elements.size(); i++) {
                visit(properties.element(i), elements.get(i), append(path, i));
            }
            return;
        }
        Optional<Set<String>> known = properties.names();
        value.members().forEach((name, member) -> {
            List<Object> memberPath = append(path, name);
            if (known.isPresent() && !known.get().contains(name)) {
                if (found.size() < limit) {
                    found.add(new UnknownName(memberPath, known.get()));
                }
            } else {
                visit(properties.property(name), member, memberPath);
            }
        });
    }

    private static List<Object> append(List<Object> path, Object step) {
        List<Object> longer = new ArrayList<>(path);
        longer.add(step);
        return longer;
    }
}
