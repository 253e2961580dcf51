package dev.gavel.cli.proposal;

import dev.gavel.cli.TerminalStyle;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/** Compares two texts line by line and shows changes with the lines around them. Stateless. */
final class LineDiff {
    /** How many unchanged lines are shown around a change. */
    private static final int CONTEXT_LINES = 2;

    /**
     * If more lines than this differ, the diff shows all of them as changed, because comparing them would take too
     * long.
     */
    private static final int MAX_COMPARED_LINES = 1_000;

    private LineDiff() {}

    /** Returns the changed lines with their context; a line with a count stands for omitted unchanged lines. */
    static List<ArgumentDiff.DiffLine> between(String before, String after) {
        List<String> oldLines = List.of(before.split("\n", -1));
        List<String> newLines = List.of(after.split("\n", -1));
        int head = 0;
        while (head < Math.min(oldLines.size(), newLines.size())
                && oldLines.get(head).equals(newLines.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(oldLines.size(), newLines.size()) - head
                && oldLines.get(oldLines.size() - 1 - tail).equals(newLines.get(newLines.size() - 1 - tail))) {
            tail++;
        }
        List<ArgumentDiff.DiffLine> all = new ArrayList<>();
        oldLines.subList(0, head).forEach(line -> all.add(unchangedLine(line)));
        compare(oldLines.subList(head, oldLines.size() - tail), newLines.subList(head, newLines.size() - tail), all);
        oldLines.subList(oldLines.size() - tail, oldLines.size()).forEach(line -> all.add(unchangedLine(line)));
        return collapse(all);
    }

    /** Compares by the longest common subsequence of lines. */
    private static void compare(List<String> oldLines, List<String> newLines, List<ArgumentDiff.DiffLine> output) {
        if (oldLines.size() > MAX_COMPARED_LINES || newLines.size() > MAX_COMPARED_LINES) {
            oldLines.forEach(line -> output.add(removedLine(line)));
            newLines.forEach(line -> output.add(addedLine(line)));
            return;
        }
        int[][] common = new int[oldLines.size() + 1][newLines.size() + 1];
        for (int i = oldLines.size() - 1; i >= 0; i--) {
            for (int j = newLines.size() - 1; j >= 0; j--) {
                common[i][j] = oldLines.get(i).equals(newLines.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < oldLines.size() || j < newLines.size()) {
            if (i < oldLines.size() && j < newLines.size() && oldLines.get(i).equals(newLines.get(j))) {
                output.add(unchangedLine(oldLines.get(i)));
                i++;
                j++;
            } else if (i < oldLines.size() && (j == newLines.size() || common[i + 1][j] >= common[i][j + 1])) {
                output.add(removedLine(oldLines.get(i++)));
            } else {
                output.add(addedLine(newLines.get(j++)));
            }
        }
    }

    private static ArgumentDiff.DiffLine removedLine(String line) {
        return new ArgumentDiff.DiffLine(TerminalStyle.BAD, "- " + SafeText.line(line));
    }

    private static ArgumentDiff.DiffLine addedLine(String line) {
        return new ArgumentDiff.DiffLine(TerminalStyle.GOOD, "+ " + SafeText.line(line));
    }

    private static ArgumentDiff.DiffLine unchangedLine(String line) {
        return new ArgumentDiff.DiffLine(TerminalStyle.PLAIN, "  " + SafeText.line(line));
    }

    private static List<ArgumentDiff.DiffLine> collapse(List<ArgumentDiff.DiffLine> all) {
        List<ArgumentDiff.DiffLine> visibleLines = new ArrayList<>();
        int omittedCount = 0;
        for (int at = 0; at < all.size(); at++) {
            if (isNearChange(all, at)) {
                addOmitted(visibleLines, omittedCount);
                omittedCount = 0;
                visibleLines.add(all.get(at));
            } else {
                omittedCount++;
            }
        }
        addOmitted(visibleLines, omittedCount);
        return visibleLines;
    }

    private static boolean isNearChange(List<ArgumentDiff.DiffLine> all, int at) {
        return all.subList(Math.max(0, at - CONTEXT_LINES), Math.min(all.size(), at + CONTEXT_LINES + 1)).stream()
                .anyMatch(line -> line.style() != TerminalStyle.PLAIN);
    }

    private static void addOmitted(List<ArgumentDiff.DiffLine> visibleLines, int omittedCount) {
        if (omittedCount > 0) {
            visibleLines.add(new ArgumentDiff.DiffLine(
                    TerminalStyle.FAINT,
                    "  (" + omittedCount + (omittedCount == 1 ? " line" : " lines") + " unchanged)"));
        }
    }
}
