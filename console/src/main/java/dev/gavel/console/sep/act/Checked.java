package dev.gavel.console.sep.act;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.render.SafeHtml;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How a document looks, and what is to be said of it before it is sent. Immutable.
 *
 * @param findings what is wrong with it, the worst first
 * @param trouble why nothing can be said of it; empty where something can
 * @param similar other SEPs that are like it
 * @param cut whether only its beginning is shown
 */
public record Checked(
        List<Finding> findings, Optional<String> trouble, List<Alike> similar, SafeHtml preview, boolean cut) {
    /** No more of a document is drawn while somebody writes. */
    public static final int LONGEST_PREVIEW = 200_000;

    /** Of a document that nobody has looked at yet. */
    public static final Checked NOTHING = new Checked(
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
    public record Alike(long number, String title, String status) {}

    public Checked {
        findings = List.copyOf(findings);
        similar = List.copyOf(similar);
    }

    /** What lint found, as the desk said it. */
    public static List<Finding> findings(Json answer) {
        return answer.at("findings").elements().stream()
                .map(each -> new Finding(
                        each.at("severity").text(),
                        each.at("code").text(),
                        each.at("line").number(1),
                        SafeText.line(each.at("message").text()),
                        ActForms.capital(SafeText.line(each.at("help").text()))))
                .sorted(Comparator.comparingInt((Finding finding) -> SEVERITIES.indexOf(finding.severity()))
                        .thenComparingLong(Finding::line))
                .toList();
    }

    /** Those that are alike, as the desk said it. */
    public static List<Alike> similar(Json answer) {
        return answer.at("similar").elements().stream()
                .map(each -> new Alike(
                        each.at("number").number(0),
                        SafeText.line(each.at("title").text()),
                        SafeText.line(each.at("status").text())))
                .toList();
    }

    /** Those that are shown. */
    public List<Finding> shown() {
        return findings.subList(0, Math.min(MOST_FINDINGS, findings.size()));
    }

    /** How many of each there are, in words. */
    public String count() {
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
