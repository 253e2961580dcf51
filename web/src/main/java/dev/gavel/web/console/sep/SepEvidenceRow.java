package dev.gavel.web.console.sep;

import dev.gavel.lifecycle.process.EvidenceDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/** A piece of evidence attached to a SEP, as listed on the SEP's page. */
public record SepEvidenceRow(String label, String value, String by, Instant at) {
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s\"'<>\\\\`{}|^]{1,2000}");
    private static final int MAX_VALUE_LENGTH = 2_000;
    private static final int MAX_ROWS = 50;

    /** Returns the latest pieces of evidence, newest first. */
    static List<SepEvidenceRow> of(Json show, SepPageContext sepPageContext) {
        List<Json> all = show.at("evidence").elements();
        return all.subList(Math.max(0, all.size() - MAX_ROWS), all.size()).reversed().stream()
                .map(piece -> new SepEvidenceRow(
                        EnglishTextFormatter.capitalize(label(piece.at("kind").text(), sepPageContext)),
                        SafeText.brief(
                                EnglishTextFormatter.joinLines(piece.at("value").text()), MAX_VALUE_LENGTH),
                        sepPageContext.personName(piece.at("by").text()),
                        Instant.parse(piece.at("at").text())))
                .toList();
    }

    private static String label(String kind, SepPageContext sepPageContext) {
        EvidenceDefinition known = sepPageContext.processDefinition().evidence().get(kind);
        return known == null ? SafeText.line(kind) : known.description();
    }

    /** Whether a value is a URL that a page may link to. */
    public static boolean isLink(String value) {
        return ADDRESS.matcher(value).matches();
    }
}
