package dev.gavel.console.sep;

import dev.gavel.lifecycle.process.EvidenceKind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/** A piece of evidence that somebody gave. */
public record Given(String what, String value, String by, Instant at) {
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s\"'<>\\\\`{}|^]{1,2000}");
    private static final int LONGEST = 2_000;
    private static final int MOST = 50;

    /** The last that were given, the latest first. */
    static List<Given> of(Json show, Viewer viewer) {
        List<Json> all = show.at("evidence").elements();
        return all.subList(Math.max(0, all.size() - MOST), all.size()).reversed().stream()
                .map(piece -> new Given(
                        Phrase.raised(what(piece.at("kind").text(), viewer)),
                        SafeText.brief(piece.at("value").text(), LONGEST),
                        SafeText.line(piece.at("by").text()),
                        Instant.parse(piece.at("at").text())))
                .toList();
    }

    private static String what(String kind, Viewer viewer) {
        EvidenceKind known = viewer.process().evidence().get(kind);
        return known == null ? SafeText.line(kind) : known.says();
    }

    /** Whether a value is an address that a link may lead to. */
    public static boolean isLink(String value) {
        return ADDRESS.matcher(value).matches();
    }
}
