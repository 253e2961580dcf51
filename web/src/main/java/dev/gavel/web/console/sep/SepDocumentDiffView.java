package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepResult;
import java.util.List;
import java.util.Optional;

/**
 * The changes of a SEP's document since the last vote or decision, as the SEP's page shows them. Immutable.
 *
 * @param from the first digits of the hash of the earlier version
 * @param more whether there are more changes than the page shows
 */
public record SepDocumentDiffView(String from, List<Part> parts, boolean more) {
    private static final int MAX_PARTS = 30;
    private static final int MAX_LINES = 300;
    private static final int MAX_LINE_LENGTH = 2_000;
    private static final int HASH_LENGTH = 12;

    public SepDocumentDiffView {
        parts = List.copyOf(parts);
    }

    /** A changed section or field. */
    public record Part(String name, List<Line> lines) {
        public Part {
            lines = List.copyOf(lines);
        }
    }

    /**
     * A line of a changed part.
     *
     * @param change how it changed: kept, removed, added or skipped
     */
    public record Line(String change, String text) {
        public String mark() {
            return switch (change) {
                case "removed" -> "−";
                case "added" -> "+";
                case "skipped" -> "…";
                default -> " ";
            };
        }
    }

    /** Whether the document has changed since the last vote or decision, according to the answer to {@code show}. */
    static boolean isNeeded(Json show) {
        Json decision = show.at("decision");
        return show.at("next").at("changedSinceVote").isPresent()
                || (decision.isPresent()
                        && !decision.at("currentDocument").text().equals("same"));
    }

    /** Creates the view from the answer to {@code diff}; empty if there is none. */
    static Optional<SepDocumentDiffView> of(SepResult sepResult) {
        if (!(sepResult instanceof SepResult.Success(Json diff))) {
            return Optional.empty();
        }
        List<Json> parts = diff.at("parts").elements();
        return Optional.of(new SepDocumentDiffView(
                shortHash(diff.at("from").text()),
                parts.stream().limit(MAX_PARTS).map(SepDocumentDiffView::part).toList(),
                parts.size() > MAX_PARTS
                        || parts.stream()
                                .anyMatch(part -> part.at("lines").elements().size() > MAX_LINES)));
    }

    private static Part part(Json part) {
        String name = part.at("section").isPresent()
                ? "Section " + part.at("section").text()
                : "Field " + part.at("field").text();
        return new Part(
                SafeText.line(name),
                part.at("lines").elements().stream()
                        .limit(MAX_LINES)
                        .map(line -> new Line(
                                line.at("change").text(),
                                SafeText.brief(line.at("text").text(), MAX_LINE_LENGTH)))
                        .toList());
    }

    /** Returns the first digits of a hash. */
    public static String shortHash(String hash) {
        return SafeText.line(hash.substring(0, Math.min(HASH_LENGTH, hash.length())));
    }
}
