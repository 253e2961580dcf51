package dev.gavel.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;

/** Something that happened to a SEP. */
public record Happening(Instant at, String says) {
    private static final int LONGEST = 600;

    /** All, or the latest so many, the latest first. */
    static List<Happening> of(Json history, int most) {
        List<Json> all = history.at("events").elements();
        return all.subList(Math.max(0, all.size() - most), all.size()).reversed().stream()
                .map(event -> new Happening(
                        Instant.parse(event.at("at").text()),
                        SafeText.brief(event.at("says").text().replaceAll("\\s+", " "), LONGEST)))
                .toList();
    }
}
