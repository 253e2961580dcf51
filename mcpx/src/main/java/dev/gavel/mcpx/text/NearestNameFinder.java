package dev.gavel.mcpx.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the known names that are most similar to a mistyped name, for "did you mean" hints. Stateless. */
public final class NearestNameFinder {
    /** Longer names are compared by this many characters, so that the cost of a comparison is bounded. */
    private static final int MAX_COMPARED_LENGTH = 64;

    private NearestNameFinder() {}

    /** Returns the known name closest to a mistyped one; empty if none is close enough to be what the writer meant. */
    public static Optional<String> suggest(String name, Collection<String> known) {
        int maxDistance = Math.max(1, Math.min(name.length(), MAX_COMPARED_LENGTH) / 3);
        return sort(name, known).stream()
                .findFirst()
                .filter(nearest -> distance(normalize(name), normalize(nearest)) <= maxDistance);
    }

    /** Returns the known names, the most similar first. Names that contain the other one count as similar. */
    public static List<String> sort(String name, Collection<String> known) {
        String normalized = normalize(name);
        return known.stream()
                .map(each -> new RankedName(each, rank(normalized, normalize(each))))
                .sorted(Comparator.comparingInt(RankedName::rank).thenComparing(RankedName::name))
                .map(RankedName::name)
                .toList();
    }

    private record RankedName(String name, int rank) {}

    private static int rank(String a, String b) {
        int distance = distance(a, b);
        boolean contained = !a.isEmpty() && !b.isEmpty() && (a.contains(b) || b.contains(a));
        return contained ? Math.min(distance, 1) : distance;
    }

    private static String normalize(String name) {
        return (name.length() > MAX_COMPARED_LENGTH ? name.substring(0, MAX_COMPARED_LENGTH) : name)
                .toLowerCase(Locale.ROOT);
    }

    /** The edit distance: the number of characters added, dropped, replaced or swapped with their neighbour. */
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
