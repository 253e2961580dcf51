package dev.gavel.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Collects what is wrong in a file, so that its writer hears of everything at once and not of one thing a try. Not
 * thread-safe.
 */
public final class Problems {
    private static final int MOST = 100;

    private final List<Problem> found = new ArrayList<>();

    /** Records that something is wrong at a position; what was said before is not said again. */
    public void add(Position position, String message) {
        Problem problem = new Problem(position, message);
        if (found.size() < MOST && !found.contains(problem)) {
            found.add(problem);
        }
    }

    /** Whether nothing is wrong so far. */
    public boolean none() {
        return found.isEmpty();
    }

    /** Everything found, in the order of the file. */
    public List<Problem> list() {
        return found.stream()
                .sorted(Comparator.comparingInt((Problem p) -> p.position().line())
                        .thenComparingInt(p -> p.position().column()))
                .toList();
    }
}
