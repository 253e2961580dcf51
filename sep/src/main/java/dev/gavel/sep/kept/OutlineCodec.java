package dev.gavel.sep.kept;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.Author;
import dev.gavel.sep.document.Outline;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/** Writes what a document says of itself, so that it need not be read each time. Its summary is kept elsewhere. */
final class OutlineCodec {
    private OutlineCodec() {}

    static void write(JsonGenerator json, Outline outline) {
        json.writeStartObject();
        outline.number().ifPresent(number -> json.writeNumberProperty("number", number));
        json.writeStringProperty("title", outline.title());
        text(json, "status", outline.status());
        text(json, "type", outline.type());
        json.writeArrayPropertyStart("authors");
        outline.authors().forEach(author -> author(json, author));
        json.writeEndArray();
        outline.sponsor().ifPresent(sponsor -> {
            json.writeName("sponsor");
            author(json, sponsor);
        });
        text(json, "created", outline.created());
        text(json, "discussion", outline.discussion());
        text(json, "pr", outline.pr());
        json.writeArrayPropertyStart("sections");
        outline.sections().stream().sorted().forEach(json::writeString);
        json.writeEndArray();
        LinksCodec.write(json, outline.links());
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

    static Outline read(Json json) {
        Json sponsor = json.at("sponsor");
        return new Outline(
                json.at("number").there()
                        ? OptionalInt.of((int) json.at("number").number(0))
                        : OptionalInt.empty(),
                json.at("title").text(),
                json.at("status").ifText(),
                json.at("type").ifText(),
                json.at("authors").elements().stream().map(OutlineCodec::author).toList(),
                sponsor.there() ? Optional.of(author(sponsor)) : Optional.empty(),
                json.at("created").ifText(),
                json.at("discussion").ifText(),
                json.at("pr").ifText(),
                Set.copyOf(json.at("sections").texts()),
                LinksCodec.read(json),
                "");
    }

    private static Author author(Json json) {
        return new Author(json.at("name").ifText(), json.at("handle").ifText());
    }
}
