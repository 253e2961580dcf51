package dev.gavel.mcpx.text;

import java.util.ArrayList;
import java.util.List;

/** Compares two texts line by line and lists removed, added and surrounding lines. Stateless. */
public final class TextLineDiff {
    /**
     * The maximum number of line pairs to compare. For longer texts, the changed part is shown as removed and added as
     * a whole.
     */
    private static final int MAX_PAIRS = 100_000;

    /** The number of unchanged lines shown around a change. */
    private static final int CONTEXT_LINES = 2;

    private TextLineDiff() {}

    /** How a line changed. */
    public enum Sign {
        KEPT(" "),
        REMOVED("−"),
        ADDED("+"),
        /** Stands for unchanged lines that are left out. */
        SKIPPED("…");

        private final String mark;

        Sign(String mark) {
            this.mark = mark;
        }

        public String mark() {
            return mark;
        }
    }

    public record Line(Sign sign, String text) {}

    /** Returns the removed and added lines, with a few unchanged lines around each. */
    public static List<Line> between(List<String> before, List<String> after) {
        int from = 0;
        while (from < Math.min(before.size(), after.size()) && before.get(from).equals(after.get(from))) {
            from++;
        }
        int tail = 0;
        while (tail < Math.min(before.size(), after.size()) - from
                && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        List<Line> all = new ArrayList<>();
        before.subList(0, from).forEach(line -> all.add(new Line(Sign.KEPT, line)));
        diffMiddle(before.subList(from, before.size() - tail), after.subList(from, after.size() - tail), all);
        before.subList(before.size() - tail, before.size()).forEach(line -> all.add(new Line(Sign.KEPT, line)));
        return keepContext(all);
    }

    private static void diffMiddle(List<String> before, List<String> after, List<Line> all) {
        if ((long) before.size() * after.size() > MAX_PAIRS) {
            before.forEach(line -> all.add(new Line(Sign.REMOVED, line)));
            after.forEach(line -> all.add(new Line(Sign.ADDED, line)));
            return;
        }
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
                all.add(new Line(Sign.KEPT, before.get(i)));
                i++;
                j++;
            } else if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
                all.add(new Line(Sign.REMOVED, before.get(i++)));
            } else {
                all.add(new Line(Sign.ADDED, after.get(j++)));
            }
        }
    }

    private static List<Line> keepContext(List<Line> all) {
        boolean[] shown = new boolean[all.size()];
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).sign() != Sign.KEPT) {
                for (int near = Math.max(0, i - CONTEXT_LINES);
                        near <= Math.min(all.size() - 1, i + CONTEXT_LINES);
                        near++) {
                    shown[near] = true;
                }
            }
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (shown[i]) {
                lines.add(all.get(i));
            } else if (lines.isEmpty() || lines.getLast().sign() != Sign.SKIPPED) {
                lines.add(new Line(Sign.SKIPPED, ""));
            }
        }
        return lines;
    }
}
