package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;

/**
 * An outcome in the inbox: what a person decided or changed about a SEP of the reader. All texts are sanitized for
 * display; only HTML escaping is left to the template. Immutable.
 *
 * @param lines what happened, and the evidence that was given
 */
public record InboxOutcomeRow(String number, String title, Instant at, List<String> lines) {
    public InboxOutcomeRow {
        lines = List.copyOf(lines);
    }

    /** Parses the outcomes in the SEP service's answer to the inbox query of a reader. */
    static List<InboxOutcomeRow> parseAll(Json inbox) {
        return inbox.at("outcomes").elements().stream()
                .map(outcome -> new InboxOutcomeRow(
                        outcome.at("number").raw(),
                        SafeText.line(outcome.at("title").text()),
                        Instant.parse(outcome.at("at").text()),
                        outcome.at("text").text().lines().map(SafeText::line).toList()))
                .toList();
    }
}
