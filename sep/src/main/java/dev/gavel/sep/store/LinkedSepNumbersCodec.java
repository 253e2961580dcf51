package dev.gavel.sep.store;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.LinkedSepNumbers;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Encodes the numbers of the SEPs that a document links to as JSON, and decodes them. Stateless. */
final class LinkedSepNumbersCodec {
    private LinkedSepNumbersCodec() {}

    static void write(JsonGenerator json, LinkedSepNumbers linkedSepNumbers) {
        numbers(json, "supersedes", linkedSepNumbers.supersedes());
        numbers(json, "replaces", linkedSepNumbers.replaces());
        numbers(json, "requires", linkedSepNumbers.requires());
        numbers(json, "supersededBy", linkedSepNumbers.supersededBy());
    }

    private static void numbers(JsonGenerator json, String name, List<Integer> numbers) {
        if (!numbers.isEmpty()) {
            json.writeArrayPropertyStart(name);
            numbers.forEach(json::writeNumber);
            json.writeEndArray();
        }
    }

    static LinkedSepNumbers read(Json json) {
        return new LinkedSepNumbers(
                numbers(json.at("supersedes")),
                numbers(json.at("replaces")),
                numbers(json.at("requires")),
                numbers(json.at("supersededBy")));
    }

    private static List<Integer> numbers(Json json) {
        return json.elements().stream().map(each -> (int) each.asLong(0)).toList();
    }
}
