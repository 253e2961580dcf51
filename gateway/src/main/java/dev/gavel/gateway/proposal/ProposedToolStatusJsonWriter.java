package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.RecordedToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolDefinition.FieldChange;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Writes the status of a proposal's tool as JSON. Stateless. */
public final class ProposedToolStatusJsonWriter {
    private ProposedToolStatusJsonWriter() {}

    /** Writes the property {@code tools}, unless there are none. */
    public static void write(JsonGenerator json, List<ProposedToolStatus> tools) {
        if (tools.isEmpty()) {
            return;
        }
        json.writeArrayPropertyStart("tools");
        for (ProposedToolStatus tool : tools) {
            json.writeStartObject();
            json.writeStringProperty("participant", tool.participant());
            json.writeStringProperty("name", tool.name());
            json.writeStringProperty("state", tool.state());
            tool.digest().ifPresent(digest -> json.writeStringProperty("digest", digest));
            json.writeBooleanProperty(
                    "hasSchema",
                    tool.current().filter(ToolDefinition::hasCheckableSchema).isPresent());
            ProposalEventCodec.writeTexts(json, "notes", tool.notes());
            tool.current()
                    .filter(definition ->
                            !tool.outdated() && definition.canonical().length() <= RecordedToolDefinition.MAX_LENGTH)
                    .ifPresent(definition -> definition(json, definition));
            if (tool.mustBeNamed()) {
                changes(json, "changes", tool.changesSinceProposal());
            }
            if (tool.changedSinceBaseline()) {
                json.writeBooleanProperty("changedSinceApproval", true);
                changes(json, "changesSinceApproval", tool.changesSinceBaseline());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void definition(JsonGenerator json, ToolDefinition definition) {
        json.writeName("definition");
        json.writeRawValue(definition.canonical());
    }

    private static void changes(JsonGenerator json, String name, List<FieldChange> changes) {
        json.writeArrayPropertyStart(name);
        for (FieldChange change : changes) {
            json.writeStartObject();
            json.writeStringProperty("field", change.field());
            value(json, "before", change.before());
            value(json, "after", change.after());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes a value; the beginning and the end of its JSON text if it is long, with the length of the rest. */
    private static void value(JsonGenerator json, String name, Json value) {
        if (!value.isPresent()) {
            return;
        }
        String text = value.raw();
        if (text.length() <= RecordedToolDefinition.MAX_LENGTH) {
            json.writeName(name);
            json.writeRawValue(text);
        } else {
            json.writeStringProperty(name, SafeText.shortenMiddle(text, RecordedToolDefinition.MAX_LENGTH));
            json.writeBooleanProperty(name + "Shortened", true);
        }
    }
}
