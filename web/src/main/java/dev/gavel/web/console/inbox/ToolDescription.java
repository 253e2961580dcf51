package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;

/**
 * A tool's unverified description, effect and argument schema, as the participant that offers it states them. It is
 * their word, which nobody checks. Immutable.
 *
 * @param participant who says so
 * @param description what the tool does; empty where they do not say
 * @param effect what calling it may do
 * @param schema of its arguments
 */
public record ToolDescription(String participant, String description, Effect effect, Json schema) {
    private static final int MAX_DESCRIPTION_LENGTH = 300;

    /** What calling a tool may do. */
    public enum Effect {
        READS,
        CHANGES,
        DESTROYS,
        UNSPECIFIED
    }

    /** Of how a participant describes a tool. */
    public static ToolDescription of(String participant, Json entry) {
        Json hints = entry.at("annotations");
        return new ToolDescription(
                SafeText.line(participant),
                SafeText.brief(entry.at("description").text(), MAX_DESCRIPTION_LENGTH),
                effect(hints),
                entry.at("inputSchema"));
    }

    /** By what MCP says: whatever does not only read may destroy, unless it says otherwise. */
    private static Effect effect(Json hints) {
        if (hints.at("readOnlyHint").isTrue()) {
            return Effect.READS;
        }
        if (hints.at("destructiveHint").isPresent()) {
            return hints.at("destructiveHint").isTrue() ? Effect.DESTROYS : Effect.CHANGES;
        }
        return hints.at("readOnlyHint").isPresent() ? Effect.DESTROYS : Effect.UNSPECIFIED;
    }

    /** Where tools are looked up. */
    @FunctionalInterface
    public interface ToolLookup {
        /** Where nothing is known of any. */
        ToolLookup EMPTY = (topic, participants, name) -> Optional.empty();

        /** A tool as the first of these participants of a topic describes it that does. */
        Optional<ToolDescription> find(String topic, List<String> participants, String name);
    }
}
