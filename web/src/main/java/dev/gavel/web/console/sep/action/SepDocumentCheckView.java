package dev.gavel.web.console.sep.action;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.render.SafeHtml;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The preview, lint findings and similar SEPs shown beside a document in the SEP editor. Immutable.
 *
 * @param findings what is wrong with it, the worst first
 * @param failure why nothing can be said of it; empty where something can
 * @param similar other SEPs that are like it
 * @param truncated whether only its beginning is shown
 */
public record SepDocumentCheckView(
        List<Finding> findings,
        Optional<String> failure,
        List<SimilarSep> similar,
        SafeHtml preview,
        boolean truncated) {
    /** No more of a document is drawn while somebody writes. */
    public static final int MAX_PREVIEW_LENGTH = 200_000;

    /** Of a document that nobody has looked at yet. */
    public static final SepDocumentCheckView NOT_CHECKED = new SepDocumentCheckView(
            List.of(), Optional.of("Nobody has looked at it yet: press Check."), List.of(), new SafeHtml(""), false);

    private static final int MOST_FINDINGS = 50;
    private static final List<String> SEVERITIES = List.of("error", "warning", "note");

    /**
     * Something that was found.
     *
     * @param line where it is, counted from one
     */
    public record Finding(String severity, String code, long line, String message, String help) {
        /** The colour it is marked in. */
        public String tone() {
            return switch (severity) {
                case "error" -> "bad";
                case "warning" -> "warn";
                default -> "info";
            };
        }
    }

    /** Another SEP. */
    public record SimilarSep(long number, String title, String status) {}

    public SepDocumentCheckView {
        findings = List.copyOf(findings);
        similar = List.copyOf(similar);
    }

    /** What lint found, as the desk said it. */
    public static List<Finding> findings(Json answer) {
        return answer.at("findings").elements().stream()
                .map(each -> new Finding(
                        each.at("severity").text(),
                        each.at("code").text(),
                        each.at("line").asLong(1),
                        SafeText.line(each.at("message").text()),
                        SepActionFormBuilder.capitalize(
                                SafeText.line(each.at("help").text()))))
                .sorted(Comparator.comparingInt((Finding finding) -> SEVERITIES.indexOf(finding.severity()))
                        .thenComparingLong(Finding::line))
                .toList();
    }

    /** Those that are alike, as the desk said it. */
    public static List<SimilarSep> similar(Json answer) {
        return answer.at("similar").elements().stream()
                .map(each -> new SimilarSep(
                        each.at("number").asLong(0),
                        SafeText.line(each.at("title").text()),
                        SafeText.line(each.at("status").text())))
                .toList();
    }

    /** Those that are shown. */
    public List<Finding> visibleFindings() {
        return findings.subList(0, Math.min(MOST_FINDINGS, findings.size()));
    }

    /** How many of each there are, in words. */
    public String summary() {
        List<String> counts = SEVERITIES.stream()
                .map(severity -> {
                    long count = findings.stream()
                            .filter(finding -> finding.severity().equals(severity))
                            .count();
                    return count == 0 ? "" : count + " " + severity + (count == 1 ? "" : "s");
                })
                .filter(words -> !words.isEmpty())
                .toList();
        return String.join(", ", counts);
    }
}
