package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Encodes and decodes the tool definitions in a stored proposal event. Stateless. */
final class RecordedToolCodec {
    private static final String FIELD = "tools";

    private RecordedToolCodec() {}

    /** Writes the definitions, unless there are none. */
    static void write(JsonGenerator json, List<RecordedToolDefinition> tools) {
        if (tools.isEmpty()) {
            return;
        }
        json.writeArrayPropertyStart(FIELD);
        for (RecordedToolDefinition tool : tools) {
            json.writeStartObject();
            json.writeStringProperty("participant", tool.participant());
            json.writeStringProperty("digest", tool.digest());
            tool.definition().ifPresent(definition -> {
                json.writeName("definition");
                json.writeRawValue(definition.canonical());
            });
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Reads the definitions. Events of earlier versions have none. */
    static List<RecordedToolDefinition> read(ProposalEventBodyReader body) {
        return body.has(FIELD)
                ? body.objects(FIELD).stream()
                        .map(each -> new RecordedToolDefinition(
                                each.text("participant"),
                                each.text("digest"),
                                each.has("definition")
                                        ? ToolDefinition.parse(
                                                new String(each.object("definition"), StandardCharsets.UTF_8))
                                        : Optional.empty()))
                        .toList()
                : List.of();
    }
}
