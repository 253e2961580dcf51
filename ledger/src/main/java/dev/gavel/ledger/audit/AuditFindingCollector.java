package dev.gavel.ledger.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the findings of one stream up to a limit and counts the rest. Not thread-safe. */
final class AuditFindingCollector {
    private static final int MAX_FINDINGS = 100;

    private final String stream;
    private final List<AuditFinding> findings = new ArrayList<>();
    private long moreCount;

    AuditFindingCollector(String stream) {
        this.stream = stream;
    }

    void add(long seq, @Nullable String subject, AuditFinding.Kind kind, String detail) {
        if (findings.size() < MAX_FINDINGS) {
            findings.add(new AuditFinding(stream, seq, subject, kind, detail));
        } else {
            moreCount++;
        }
    }

    /** Returns the collected findings ordered by seq. */
    List<AuditFinding> sorted() {
        return findings.stream()
                .sorted(Comparator.comparingLong(AuditFinding::seq))
                .toList();
    }

    /** Returns how many findings exceeded the limit. */
    long moreCount() {
        return moreCount;
    }
}
