package dev.gavel.ledger.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gathers what is found in a stream: the first so many, and how many more there are. Not thread-safe. */
final class Findings {
    private static final int MOST = 100;

    private final String stream;
    private final List<Finding> kept = new ArrayList<>();
    private long more;

    Findings(String stream) {
        this.stream = stream;
    }

    void add(long seq, @Nullable String subject, Finding.Kind kind, String detail) {
        if (kept.size() < MOST) {
            kept.add(new Finding(stream, seq, subject, kind, detail));
        } else {
            more++;
        }
    }

    /** In the order of their seqs. */
    List<Finding> sorted() {
        return kept.stream().sorted(Comparator.comparingLong(Finding::seq)).toList();
    }

    /** How many were found besides. */
    long more() {
        return more;
    }
}
