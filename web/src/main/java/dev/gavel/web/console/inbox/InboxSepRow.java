package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.sep.DeadlineConsequenceFormatter;
import java.time.Instant;
import java.util.List;

/**
 * A row of the inbox: a SEP that waits for the reader to act, with the reason and the next step. All texts are
 * sanitized for display; only HTML escaping is left to the template. Immutable.
 *
 * @param reason why the next step is up to the reader
 * @param nextStep what the reader should do
 * @param expected the date by which it is expected and what happens then; empty if nothing does
 */
public record InboxSepRow(
        String number, String title, String status, String reason, String nextStep, String expected, Instant since) {
    /** Parses the rows in the SEP service's answer to the inbox query of a reader. */
    static List<InboxSepRow> parseAll(Json inbox, String reader) {
        String readerName = SafeText.line(inbox.at("names").at(reader).asText().orElse(reader));
        return inbox.at("seps").elements().stream()
                .map(sep -> of(sep, readerName))
                .toList();
    }

    private static InboxSepRow of(Json sep, String readerName) {
        Json expected = sep.at("expectedBy");
        return new InboxSepRow(
                sep.at("number").raw(),
                SafeText.line(sep.at("title").text()),
                SafeText.line(sep.at("status").text()),
                SafeText.line(sep.at("because").text()),
                SafeText.line(sep.at("nextStep").text()),
                expected.at("date")
                        .asText()
                        .map(date -> "Deadline: " + date + ". If nothing happens by then, "
                                + DeadlineConsequenceFormatter.format(
                                        SafeText.line(expected.at("then").text()), readerName))
                        .orElse(""),
                Instant.parse(sep.at("holdingSince").text()));
    }
}
