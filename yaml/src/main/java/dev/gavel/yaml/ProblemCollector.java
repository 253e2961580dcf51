package dev.gavel.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Collects the problems found in a file without duplicates, so that the author sees all of them at once. Not
 * thread-safe.
 */
public final class ProblemCollector {
    private static final int MAX_PROBLEMS = 100;

    private final List<FileProblem> problems = new ArrayList<>();

    /** Adds a problem at a position. Ignores duplicates, and everything after {@code MAX_PROBLEMS} problems. */
    public void add(SourcePosition position, String message) {
        FileProblem problem = new FileProblem(position, message);
        if (problems.size() < MAX_PROBLEMS && !problems.contains(problem)) {
            problems.add(problem);
        }
    }

    public boolean isEmpty() {
        return problems.isEmpty();
    }

    /** Returns the problems in the order of the file. */
    public List<FileProblem> list() {
        return problems.stream()
                .sorted(Comparator.comparingInt((FileProblem p) -> p.position().line())
                        .thenComparingInt(p -> p.position().column()))
                .toList();
    }
}
