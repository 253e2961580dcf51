package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.page.PageFrame;
import java.time.Instant;
import java.util.List;

/**
 * The page that lists the SEPs without a sponsor, longest waiting first.
 *
 * @param count how many there are, of which these are the first
 */
public record SepTriagePage(PageFrame frame, long count, List<TriageRow> rows) {
    public SepTriagePage {
        rows = List.copyOf(rows);
    }

    /**
     * One that waits.
     *
     * @param answered whether somebody has answered its author at all
     * @param since since when it waits: its submission, or the last answer
     * @param nextStep for the reader
     */
    public record TriageRow(SepCard card, boolean answered, Instant since, String nextStep) {}

    /** What the desk says. */
    public static SepTriagePage of(PageFrame frame, Json triage, SepPageContext sepPageContext) {
        return new SepTriagePage(
                frame,
                triage.at("count").asLong(0),
                triage.at("seps").elements().stream()
                        .map(sep -> new TriageRow(
                                SepCard.of(sep, sepPageContext),
                                sep.at("answered").isTrue(),
                                Instant.parse(sep.at("waitingSince").text()),
                                SafeText.line(sep.at("nextStep").text())))
                        .toList());
    }
}
