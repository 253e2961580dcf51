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
        List<String> old = List.of(before.split("\n", -1));
        List<String> now = List.of(after.split("\n", -1));
        int head = 0;
        while (head < Math.min(old.size(), now.size()) && old.get(head).equals(now.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < Math.min(old.size(), now.size()) - head
                && old.get(old.size() - 1 - tail).equals(now.get(now.size() - 1 - tail))) {
            tail++;
        }
        List<ArgumentDiff.DiffLine> all = new ArrayList<>();
        old.subList(0, head).forEach(line -> all.add(unchanged(line)));
        compare(old.subList(head, old.size() - tail), now.subList(head, now.size() - tail), all);
        old.subList(old.size() - tail, old.size()).forEach(line -> all.add(unchanged(line)));
        return collapse(all);
    }

    /** Compares by the longest common subsequence of lines. */
    private static void compare(List<String> old, List<String> now, List<ArgumentDiff.DiffLine> into) {
        if (old.size() > MAX_COMPARED_LINES || now.size() > MAX_COMPARED_LINES) {
            old.forEach(line -> into.add(removed(line)));
            now.forEach(line -> into.add(added(line)));
            return;
        }
        int[][] common = new int[old.size() + 1][now.size() + 1];
        for (int i = old.size() - 1; i >= 0; i--) {
            for (int j = now.size() - 1; j >= 0; j--) {
                common[i][j] = old.get(i).equals(now.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < old.size() || j < now.size()) {
            if (i < old.size() && j < now.size() && old.get(i).equals(now.get(j))) {
                into.add(unchanged(old.get(i)));
                i++;
                j++;
            } else if (i < old.size() && (j == now.size() || common[i + 1][j] >= common[i][j + 1])) {
                into.add(removed(old.get(i++)));
            } else {
                into.add(added(now.get(j++)));
            }
        }
    }

    private static ArgumentDiff.DiffLine removed(String line) {
        return new ArgumentDiff.DiffLine(TerminalStyle.BAD, "- " + SafeText.line(line));
    }

    private static ArgumentDiff.DiffLine added(String line) {
        return new ArgumentDiff.DiffLine(TerminalStyle.GOOD, "+ " + SafeText.line(line));
    }

    private static ArgumentDiff.DiffLine unchanged(String line) {
        return new ArgumentDiff.DiffLine(TerminalStyle.PLAIN, "  " + SafeText.line(line));
    }

    private static List<ArgumentDiff.DiffLine> collapse(List<ArgumentDiff.DiffLine> all) {
        List<ArgumentDiff.DiffLine> kept = new ArrayList<>();
        int left = 0;
        for (int at = 0; at < all.size(); at++) {
            if (isNearChange(all, at)) {
                addOmitted(kept, left);
                left = 0;
                kept.add(all.get(at));
            } else {
                left++;
            }
        }
        addOmitted(kept, left);
        return kept;
    }

    private static boolean isNearChange(List<ArgumentDiff.DiffLine> all, int at) {
        return all.subList(Math.max(0, at - CONTEXT_LINES), Math.min(all.size(), at + CONTEXT_LINES + 1)).stream()
                .anyMatch(line -> line.style() != TerminalStyle.PLAIN);
    }

    private static void addOmitted(List<ArgumentDiff.DiffLine> kept, int left) {
        if (left > 0) {
            kept.add(new ArgumentDiff.DiffLine(
                    TerminalStyle.FAINT, "  (" + left + (left == 1 ? " line" : " lines") + " unchanged)"));
        }
    }
}
