package dev.gavel.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the known word that is closest to a mistyped word, for "did you mean" hints. Stateless. */
public final class WordSuggester {
    private WordSuggester() {}

    /** Returns the known word closest to a mistyped one; empty if none is close enough. */
    public static Optional<String> suggest(String word, Collection<String> known) {
        int maxDistance = Math.max(1, word.length() / 3);
        return known.stream()
                .filter(candidate -> Math.abs(candidate.length() - word.length()) <= maxDistance)
                .filter(candidate -> distance(word, candidate) <= maxDistance)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** The edit distance: the number of letters added, dropped, replaced or swapped with their neighbour. */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
