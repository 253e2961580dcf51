package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;

/**
 * A SEP in the inbox whose next step is up to the reader. All texts are fit to be shown as they are, but for what HTML
 * needs. Immutable.
 *
 * @param reason why it is theirs
 * @param nextStep what to do
 * @param expected by when, and what happens then; empty where nothing does
 */
public record InboxSepRow(
        String number, String title, String status, String reason, String nextStep, String expected, Instant since) {
    /** Those in the desk's answer to what waits on somebody. */
    public static List<InboxSepRow> parseAll(Json inbox) {
        return inbox.at("seps").elements().stream().map(InboxSepRow::of).toList();
    }

    private static InboxSepRow of(Json sep) {
        Json expected = sep.at("expectedBy");
        return new InboxSepRow(
                sep.at("number").raw(),
                SafeText.line(sep.at("title").text()),
                SafeText.line(sep.at("status").text()),
                SafeText.line(sep.at("because").text()),
                SafeText.line(sep.at("nextStep").text()),
                expected.at("date")
                        .asText()
                        .map(date -> "By " + date + "; then "
                                + SafeText.line(expected.at("then").text()))
                        .orElse(""),
                Instant.parse(sep.at("holdingSince").text()));
    }
}
