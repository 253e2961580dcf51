package dev.gavel.app.cli;

import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/** Which lines of a text were changed. Stateless. */
final class LineDifference {
    /** How many unchanged lines are shown around what was changed. */
    private static final int AROUND = 2;

    /** Texts that differ in more lines than this are shown as wholly changed, rather than compared at length. */
    private static final int MOST = 1_000;

    private LineDifference() {}

    /** The changed lines with those around them; where unchanged ones are left out, it says how many. */
    static List<Difference.Line> between(String before, String after) {
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
        List<Difference.Line> all = new ArrayList<>();
        old.subList(0, head).forEach(line -> all.add(same(line)));
        compare(old.subList(head, old.size() - tail), now.subList(head, now.size() - tail), all);
        old.subList(old.size() - tail, old.size()).forEach(line -> all.add(same(line)));
        return shortened(all);
    }

    /** By the longest sequence of lines that both have. */
    private static void compare(List<String> old, List<String> now, List<Difference.Line> into) {
        if (old.size() > MOST || now.size() > MOST) {
            old.forEach(line -> into.add(gone(line)));
            now.forEach(line -> into.add(come(line)));
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
                into.add(same(old.get(i)));
                i++;
                j++;
            } else if (i < old.size() && (j == now.size() || common[i + 1][j] >= common[i][j + 1])) {
                into.add(gone(old.get(i++)));
            } else {
                into.add(come(now.get(j++)));
            }
        }
    }

    private static Difference.Line gone(String line) {
        return new Difference.Line(Style.BAD, "- " + SafeText.line(line));
    }

    private static Difference.Line come(String line) {
        return new Difference.Line(Style.GOOD, "+ " + SafeText.line(line));
    }

    private static Difference.Line same(String line) {
        return new Difference.Line(Style.PLAIN, "  " + SafeText.line(line));
    }

    private static List<Difference.Line> shortened(List<Difference.Line> all) {
        List<Difference.Line> kept = new ArrayList<>();
        int left = 0;
        for (int at = 0; at < all.size(); at++) {
            if (near(all, at)) {
                omitted(kept, left);
                left = 0;
                kept.add(all.get(at));
            } else {
                left++;
            }
        }
        omitted(kept, left);
        return kept;
    }

    private static boolean near(List<Difference.Line> all, int at) {
        return all.subList(Math.max(0, at - AROUND), Math.min(all.size(), at + AROUND + 1)).stream()
                .anyMatch(line -> line.style() != Style.PLAIN);
    }

    private static void omitted(List<Difference.Line> kept, int left) {
        if (left > 0) {
            kept.add(new Difference.Line(Style.FAINT, "  (" + left + (left == 1 ? " line" : " lines") + " unchanged)"));
        }
    }
}
