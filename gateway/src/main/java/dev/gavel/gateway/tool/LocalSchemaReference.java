package dev.gavel.gateway.tool;

import dev.gavel.mcpx.json.Json;
import java.util.Optional;

/** Resolves references within a JSON schema, such as {@code #/$defs/address}. Stateless. */
public final class LocalSchemaReference {
    private LocalSchemaReference() {}

    /** Returns the schema to which a reference leads; empty if the schema has no such place. */
    public static Optional<Json> resolve(Json root, String reference) {
        if (reference.equals("#")) {
            return Optional.of(root);
        }
        if (!reference.startsWith("#/")) {
            return Optional.empty();
        }
        Json found = root;
        for (String step : reference.substring(2).split("/", -1)) {
            found = found.at(step.replace("~1", "/").replace("~0", "~"));
        }
        return Optional.of(found).filter(Json::isPresent);
    }
}
