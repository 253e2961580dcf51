package dev.gavel.gateway.tool;

import dev.gavel.mcpx.json.CanonicalJsonWriter;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.Sha256;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A participant's definition of a tool that it offers: the entry of its tool list, reduced to the fields that define
 * the tool, and the digest by which an approval refers to it. Untrusted input. Immutable and thread-safe.
 */
public final class ToolDefinition {
    /** The word that stands for a digest if an approval is for a tool that its participant does not list. */
    public static final String UNLISTED = "unlisted";

    /** The fields of a list entry that define a tool, besides its name. */
    private static final List<String> FIELDS =
            List.of("title", "description", "inputSchema", "outputSchema", "annotations");

    private final String participant;
    private final String name;
    private final Json entry;
    private volatile @Nullable String canonical;
    private volatile @Nullable String digest;

    private ToolDefinition(String participant, String name, Json entry) {
        this.participant = participant;
        this.name = name;
        this.entry = entry;
    }

    /**
     * Creates the definition from an entry of the participant's tool list.
     *
     * @param name the participant's own name for the tool
     */
    public static ToolDefinition of(String participant, String name, Json entry) {
        return new ToolDefinition(participant, name, entry);
    }

    /** Creates a definition for checking the arguments of a prompt, from an entry of the participant's prompt list. */
    public static ToolDefinition ofPrompt(String participant, String name, Json entry) {
        List<Json> arguments = entry.at("arguments").elements();
        Json schema = Json.write(json -> {
            json.writeStartObject();
            json.writeObjectPropertyStart("properties");
            Set<String> names = new LinkedHashSet<>();
            for (Json argument : arguments) {
                if (names.add(argument.at("name").text())) {
                    json.writeObjectPropertyStart(argument.at("name").text());
                    // Unlike a tool's arguments, those of a prompt are always texts.
                    json.writeStringProperty("type", "string");
                    json.writeEndObject();
                }
            }
            json.writeEndObject();
            json.writeArrayPropertyStart("required");
            arguments.stream()
                    .filter(argument -> argument.at("required").isTrue())
                    .map(argument -> argument.at("name").text())
                    .distinct()
                    .forEach(json::writeString);
            json.writeEndArray();
            json.writeEndObject();
        });
        return of(participant, name, entry.with("inputSchema", schema));
    }

    /** Restores a definition from its canonical text; empty if the text is not a definition. */
    public static Optional<ToolDefinition> parse(String canonicalText) {
        return Json.parse(canonicalText)
                .filter(json -> json.at("participant").asText().isPresent()
                        && json.at("name").asText().isPresent())
                .map(json -> new ToolDefinition(
                        json.at("participant").text(), json.at("name").text(), json));
    }

    public String participant() {
        return participant;
    }

    public String name() {
        return name;
    }

    /** A field of the definition, such as {@code description}; missing if the participant does not give it. */
    public Json field(String field) {
        return FIELDS.contains(field) ? entry.at(field) : Json.object().at(field);
    }

    /** The schema of the tool's arguments; missing if the participant does not give one. */
    public Json inputSchema() {
        return entry.at("inputSchema");
    }

    /** Whether arguments can be checked against the schema. The schema {@code true} allows everything. */
    public boolean hasCheckableSchema() {
        return inputSchema().isPresent() && !inputSchema().isTrue();
    }

    /** The participant's hints on what a call may do. */
    public Json annotations() {
        return entry.at("annotations");
    }

    /** The canonical JSON (RFC 8785) of participant, name and the defining fields. */
    public String canonical() {
        String text = canonical;
        if (text == null) {
            text = CanonicalJsonWriter.write(Json.write(json -> {
                json.writeStartObject();
                json.writeStringProperty("participant", participant);
                json.writeStringProperty("name", name);
                for (String field : FIELDS) {
                    if (entry.at(field).isPresent()) {
                        json.writeName(field);
                        json.writeRawValue(entry.at(field).raw());
                    }
                }
                json.writeEndObject();
            }));
            canonical = text;
        }
        return text;
    }

    /** The digest of the canonical JSON: {@code sha256:} and 64 hexadecimal digits. */
    public String digest() {
        String value = digest;
        if (value == null) {
            value = "sha256:" + Sha256.hex(canonical());
            digest = value;
        }
        return value;
    }

    /** A field that two definitions of a tool state differently; a value is missing if only the other one has it. */
    public record FieldChange(String field, Json before, Json after) {}

    /** Returns all fields, as changes from a definition that is not known. */
    public List<FieldChange> asChanges() {
        return of(participant, name, Json.object()).changesTo(this);
    }

    /** Returns the fields in which a later definition differs from this one. */
    public List<FieldChange> changesTo(ToolDefinition later) {
        return FIELDS.stream()
                .filter(field -> !entry.at(field).equals(later.entry.at(field)))
                .map(field -> new FieldChange(field, entry.at(field), later.entry.at(field)))
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ToolDefinition that && digest().equals(that.digest());
    }

    @Override
    public int hashCode() {
        return digest().hashCode();
    }

    @Override
    public String toString() {
        return participant + "/" + name + " " + digest();
    }
}
