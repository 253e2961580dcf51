package dev.gavel.sep.lint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The findings that a project accepts for now, so that lint reports only new ones. A finding is known by its file, code
 * and message, wherever in the file it is. Immutable.
 */
public final class LintBaseline {
    /** The maximum length of a baseline file, in characters. */
    public static final int MAX_LENGTH = 8 * 1024 * 1024;

    private static final String COMMENT = "#";

    private final Map<String, Long> counts;

    private LintBaseline(Map<String, Long> counts) {
        this.counts = Map.copyOf(counts);
    }

    /** Returns a baseline of findings. */
    public static LintBaseline of(List<LintFinding> findings) {
        return new LintBaseline(
                findings.stream().collect(Collectors.groupingBy(LintBaseline::line, Collectors.counting())));
    }

    /** Reads the output of {@link #text}. */
    public static LintBaseline parse(String text) {
        return new LintBaseline(text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith(COMMENT))
                .collect(Collectors.groupingBy(line -> line, Collectors.counting())));
    }

    /** Returns the content of the baseline file: one line for each finding, in alphabetical order. */
    public String text() {
        List<String> lines = new ArrayList<>();
        counts.forEach((line, count) -> {
            for (long i = 0; i < count; i++) {
                lines.add(line);
            }
        });
        lines.sort(null);
        return COMMENT + " Findings that 'gavel sep lint --baseline' does not report.\n"
                + lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** Returns the findings that the baseline does not have, or has less often. */
    public List<LintFinding> newFindings(List<LintFinding> findings) {
        Map<String, Long> left = new HashMap<>(counts);
        return findings.stream()
                .filter(finding -> left.merge(line(finding), -1L, Long::sum) < 0)
                .toList();
    }

    private static String line(LintFinding finding) {
        String file = finding.file().replace('\\', '/').replaceFirst("^(?:\\./)+", "");
        return (file + ": " + finding.code().wireName() + ": " + finding.message())
                .replaceAll("[\\p{Cntrl}\\s]+", " ")
                .strip();
    }
}
