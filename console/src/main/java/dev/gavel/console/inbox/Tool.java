package dev.gavel.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;

/**
 * What a participant says of a tool it offers. It is their word, which nobody checks. Immutable.
 *
 * @param by who says so
 * @param says what the tool does; empty where they do not say
 * @param effect what calling it may do
 * @param schema of its arguments
 */
public record Tool(String by, String says, Effect effect, Json schema) {
    private static final int LONGEST = 300;

    /** What calling a tool may do. */
    public enum Effect {
        READS,
        CHANGES,
        DESTROYS,
        UNSAID
    }

    /** Of how a participant describes a tool. */
    public static Tool of(String participant, Json entry) {
        Json hints = entry.at("annotations");
        return new Tool(
                SafeText.line(participant),
                SafeText.brief(entry.at("description").text(), LONGEST),
                effect(hints),
                entry.at("inputSchema"));
    }

    /** By what MCP says: whatever does not only read may destroy, unless it says otherwise. */
    private static Effect effect(Json hints) {
        if (hints.at("readOnlyHint").isTrue()) {
            return Effect.READS;
        }
        if (hints.at("destructiveHint").there()) {
            return hints.at("destructiveHint").isTrue() ? Effect.DESTROYS : Effect.CHANGES;
        }
        return hints.at("readOnlyHint").there() ? Effect.DESTROYS : Effect.UNSAID;
    }

    /** Where tools are looked up. */
    @FunctionalInterface
    public interface Shelf {
        /** Where nothing is known of any. */
        Shelf EMPTY = (topic, participants, name) -> Optional.empty();

        /** A tool as the first of these participants of a topic describes it that does. */
        Optional<Tool> find(String topic, List<String> participants, String name);
    }
}
