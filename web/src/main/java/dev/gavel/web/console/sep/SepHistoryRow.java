package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;

/** An event in a SEP's history, as listed on the SEP's page. */
public record SepHistoryRow(Instant at, String text) {
    private static final int MAX_TEXT_LENGTH = 600;

    /** Returns the latest events, at most {@code most}, newest first. */
    static List<SepHistoryRow> of(Json history, int most) {
        List<Json> all = history.at("events").elements();
        return all.subList(Math.max(0, all.size() - most), all.size()).reversed().stream()
                .map(event -> new SepHistoryRow(
                        Instant.parse(event.at("at").text()),
                        SafeText.brief(event.at("says").text().replaceAll("\\s+", " "), MAX_TEXT_LENGTH)))
                .toList();
    }
}
