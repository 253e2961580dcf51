package dev.gavel.sep.store;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.DeclaredSepRelations;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Encodes the numbers of the SEPs that a document links to as JSON, and decodes them. Stateless. */
final class LinkedSepNumbersCodec {
    private LinkedSepNumbersCodec() {}

    static void write(JsonGenerator json, DeclaredSepRelations declaredSepRelations) {
        numbers(json, "supersedes", declaredSepRelations.supersedes());
        numbers(json, "replaces", declaredSepRelations.replaces());
        numbers(json, "requires", declaredSepRelations.requires());
        numbers(json, "supersededBy", declaredSepRelations.supersededBy());
    }

    private static void numbers(JsonGenerator json, String name, List<Integer> numbers) {
        if (!numbers.isEmpty()) {
            json.writeArrayPropertyStart(name);
            numbers.forEach(json::writeNumber);
            json.writeEndArray();
        }
    }

    static DeclaredSepRelations read(Json json) {
        return new DeclaredSepRelations(
                numbers(json.at("supersedes")),
                numbers(json.at("replaces")),
                numbers(json.at("requires")),
                numbers(json.at("supersededBy")));
    }

    private static List<Integer> numbers(Json json) {
        return json.elements().stream().map(each -> (int) each.asLong(0)).toList();
    }
}
