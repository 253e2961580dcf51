package dev.gavel.sep.store;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.Author;
import dev.gavel.sep.document.DocumentMetadata;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/**
 * Encodes the metadata of SEP documents as JSON, and decodes it. The summary is not included: the ledger stores it in
 * the summary of the document's stream.
 */
final class DocumentMetadataCodec {
    private DocumentMetadataCodec() {}

    static void write(JsonGenerator json, DocumentMetadata documentMetadata) {
        json.writeStartObject();
        documentMetadata.number().ifPresent(number -> json.writeNumberProperty("number", number));
        json.writeStringProperty("title", documentMetadata.title());
        text(json, "status", documentMetadata.status());
        text(json, "type", documentMetadata.type());
        json.writeArrayPropertyStart("authors");
        documentMetadata.authors().forEach(author -> author(json, author));
        json.writeEndArray();
        documentMetadata.sponsor().ifPresent(sponsor -> {
            json.writeName("sponsor");
            author(json, sponsor);
        });
        text(json, "created", documentMetadata.created());
        text(json, "discussion", documentMetadata.discussion());
        text(json, "pr", documentMetadata.pr());
        json.writeArrayPropertyStart("sections");
        documentMetadata.sections().stream().sorted().forEach(json::writeString);
        json.writeEndArray();
        LinkedSepNumbersCodec.write(json, documentMetadata.declaredSepRelations());
        json.writeEndObject();
    }

    private static void text(JsonGenerator json, String name, Optional<String> text) {
        text.ifPresent(value -> json.writeStringProperty(name, value));
    }

    private static void author(JsonGenerator json, Author author) {
        json.writeStartObject();
        text(json, "name", author.name());
        text(json, "handle", author.handle());
        json.writeEndObject();
    }

    static DocumentMetadata read(Json json) {
        Json sponsor = json.at("sponsor");
        return new DocumentMetadata(
                json.at("number").isPresent()
                        ? OptionalInt.of((int) json.at("number").asLong(0))
                        : OptionalInt.empty(),
                json.at("title").text(),
                json.at("status").asText(),
                json.at("type").asText(),
                json.at("authors").elements().stream()
                        .map(DocumentMetadataCodec::author)
                        .toList(),
                sponsor.isPresent() ? Optional.of(author(sponsor)) : Optional.empty(),
                json.at("created").asText(),
                json.at("discussion").asText(),
                json.at("pr").asText(),
                Set.copyOf(json.at("sections").texts()),
                LinkedSepNumbersCodec.read(json),
                "");
    }

    private static Author author(Json json) {
        return new Author(json.at("name").asText(), json.at("handle").asText());
    }
}
