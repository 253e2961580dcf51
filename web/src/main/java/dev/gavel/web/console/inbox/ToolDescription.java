package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;

/**
 * What a participant states, unverified, about a tool that it offers: description, effect and argument schema.
 * Immutable.
 *
 * @param participant the participant that offers the tool
 * @param description what the tool does; empty if the participant does not say
 * @param effect what a call of the tool may do
 * @param schema the schema of the tool's arguments
 */
public record ToolDescription(String participant, String description, Effect effect, Json schema) {
    private static final int MAX_DESCRIPTION_LENGTH = 300;

    /** What a call of a tool may do. */
    public enum Effect {
        READS,
        CHANGES,
        DESTROYS,
        UNSPECIFIED
    }

    /** Creates the description from the tool's entry in a participant's tool list. */
    public static ToolDescription of(String participant, Json entry) {
        Json hints = entry.at("annotations");
        return new ToolDescription(
                SafeText.line(participant),
                SafeText.brief(entry.at("description").text(), MAX_DESCRIPTION_LENGTH),
                effect(hints),
                entry.at("inputSchema"));
    }

    /** Follows MCP: a tool that does not only read may destroy, unless its annotations say otherwise. */
    private static Effect effect(Json hints) {
        if (hints.at("readOnlyHint").isTrue()) {
            return Effect.READS;
        }
        if (hints.at("destructiveHint").isPresent()) {
            return hints.at("destructiveHint").isTrue() ? Effect.DESTROYS : Effect.CHANGES;
        }
        return hints.at("readOnlyHint").isPresent() ? Effect.DESTROYS : Effect.UNSPECIFIED;
    }

    /** Looks up the descriptions of tools. */
    @FunctionalInterface
    public interface ToolLookup {
        /** A lookup that finds no tool. */
        ToolLookup EMPTY = (topic, participants, name) -> Optional.empty();

        /** Returns the description by the first of these participants that describes the tool. */
        Optional<ToolDescription> find(String topic, List<String> participants, String name);
    }
}
