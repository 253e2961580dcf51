package dev.gavel.web.console.sep.action;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.render.SafeHtml;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The preview, lint findings and similar SEPs shown beside a document in the SEP editor. Immutable.
 *
 * @param findings the lint findings, most severe first
 * @param failure why the document could not be checked; empty if it was checked
 * @param similar other SEPs that resemble the document
 * @param truncated whether the preview shows only the beginning of the document
 * @param terms how texts name the SEPs
 */
public record SepDocumentCheckView(
        List<Finding> findings,
        Optional<String> failure,
        List<SimilarSep> similar,
        SafeHtml preview,
        boolean truncated,
        ProposalTerms terms) {
    /** The preview renders at most this many characters of a document. */
    public static final int MAX_PREVIEW_LENGTH = 200_000;

    private static final int MAX_FINDINGS = 50;
    private static final List<String> SEVERITIES = List.of("error", "warning", "note");

    /**
     * A lint finding.
     *
     * @param line the line in the document, counted from one
     */
    public record Finding(String severity, String code, long line, String message, String help) {
        /** The colour of the finding. */
        public String tone() {
            return switch (severity) {
                case "error" -> "bad";
                case "warning" -> "warn";
                default -> "info";
            };
        }
    }

    /** Another SEP that resembles the document. */
    public record SimilarSep(long number, String title, String status) {}

    public SepDocumentCheckView {
        findings = List.copyOf(findings);
        similar = List.copyOf(similar);
    }

    /** Returns the view of a document that has not been checked yet. */
    static SepDocumentCheckView notChecked(ProposalTerms terms) {
        return new SepDocumentCheckView(
                List.of(),
                Optional.of("The previous check is still running. Check the document again in a moment."),
                List.of(),
                new SafeHtml(""),
                false,
                terms);
    }

    /** Parses the lint findings in the SEP service's answer. */
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

    /** Parses the similar SEPs in the SEP service's answer. */
    public static List<SimilarSep> similar(Json answer) {
        return answer.at("similar").elements().stream()
                .map(each -> new SimilarSep(
                        each.at("number").asLong(0),
                        SafeText.line(each.at("title").text()),
                        SafeText.line(each.at("status").text())))
                .toList();
    }

    /** The findings that the page shows. */
    public List<Finding> visibleFindings() {
        return findings.subList(0, Math.min(MAX_FINDINGS, findings.size()));
    }

    /** The number of findings of each severity, as text. */
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
