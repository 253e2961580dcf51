package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.page.PageLayoutData;
import java.time.Instant;
import java.util.List;

/**
 * The page that lists the SEPs without a sponsor, longest waiting first.
 *
 * @param count the number of all such SEPs, of which {@code rows} are the first
 */
public record SepTriagePage(PageLayoutData frame, long count, List<TriageRow> rows) {
    public SepTriagePage {
        rows = List.copyOf(rows);
    }

    /**
     * A SEP without a sponsor.
     *
     * @param answered whether the author has received any answer
     * @param since when the wait began: at the submission, or at the last answer
     * @param nextStep the reader's next step
     */
    public record TriageRow(SepCard card, boolean answered, Instant since, String nextStep) {}

    /** Creates the page from the SEP service's answer. */
    public static SepTriagePage of(PageLayoutData frame, Json triage, SepPageContext sepPageContext) {
        return new SepTriagePage(
                frame,
                triage.at("count").asLong(0),
                triage.at("seps").elements().stream()
                        .map(sep -> new TriageRow(
                                SepCard.of(sep, sepPageContext.withNamesOf(triage)),
                                sep.at("answered").isTrue(),
                                Instant.parse(sep.at("waitingSince").text()),
                                SafeText.line(sep.at("nextStep").text())))
                        .toList());
    }
}
