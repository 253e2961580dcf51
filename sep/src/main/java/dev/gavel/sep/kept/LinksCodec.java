package dev.gavel.sep.kept;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.Links;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Writes the links of a document as members of an object, and reads them again. Stateless. */
final class LinksCodec {
    private LinksCodec() {}

    static void write(JsonGenerator json, Links links) {
        numbers(json, "supersedes", links.supersedes());
        numbers(json, "replaces", links.replaces());
        numbers(json, "requires", links.requires());
        numbers(json, "supersededBy", links.supersededBy());
    }

    private static void numbers(JsonGenerator json, String name, List<Integer> numbers) {
        if (!numbers.isEmpty()) {
            json.writeArrayPropertyStart(name);
            numbers.forEach(json::writeNumber);
            json.writeEndArray();
        }
    }

    static Links read(Json json) {
        return new Links(
                numbers(json.at("supersedes")),
                numbers(json.at("replaces")),
                numbers(json.at("requires")),
                numbers(json.at("supersededBy")));
    }

    private static List<Integer> numbers(Json json) {
        return json.elements().stream().map(each -> (int) each.number(0)).toList();
    }
}
