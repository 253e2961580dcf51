package dev.gavel.web.console.inbox;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;

/**
 * What a participant states, unverified, about a tool or prompt that it offers: description and argument schema.
 * Immutable.
 *
 * @param participant the participant that offers it
 * @param description what it does; empty if the participant does not say
 * @param schema the schema of its arguments
 */
public record ToolDescription(String participant, String description, Json schema) {
    private static final int MAX_DESCRIPTION_LENGTH = 300;

    /** Creates the description from the participant's definition. */
    public static ToolDescription of(ToolDefinition definition) {
        return new ToolDescription(
                SafeText.line(definition.participant()),
                SafeText.excerpt(definition.field("description").text(), MAX_DESCRIPTION_LENGTH),
                definition.inputSchema());
    }

    /** Looks up the descriptions of tools and prompts. */
    @FunctionalInterface
    public interface ToolLookup {
        /** A lookup that finds nothing. */
        ToolLookup EMPTY = (topic, participants, call) -> Optional.empty();

        /** Returns the description by the first of these participants that describes the called tool or prompt. */
        Optional<ToolDescription> find(String topic, List<String> participants, Kind call);
    }
}
