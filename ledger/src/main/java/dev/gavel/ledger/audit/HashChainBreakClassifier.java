package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classifies each event that breaks the ledger's hash chain as reordered, edited, inserted or broken. The hash of an
 * event reveals its original place: only the original seq and the original preceding hash reproduce it. The classifier
 * tries the seqs and hashes near the breaks, so it names both of two events that were swapped. Not thread-safe.
 */
final class HashChainBreakClassifier {
    /**
     * The classification takes time cubic in this number; further unlinked events are reported as broken without it.
     */
    private static final int MAX_UNLINKED = 48;

    private static final String BROKEN =
            "it does not follow from the event before it: one of the two was replaced together with its hashes";

    private final AuditFindingCollector auditFindingCollector;
    private final List<HashChainBreak> hashChainBreaks = new ArrayList<>();
    private final Set<Hash> candidateHashes = new LinkedHashSet<>();
    private final Set<Long> candidateSeqs = new LinkedHashSet<>();
    private final List<Gap> gaps = new ArrayList<>();

    private record Gap(long first, long last) {}

    HashChainBreakClassifier(AuditFindingCollector auditFindingCollector) {
        this.auditFindingCollector = auditFindingCollector;
    }

    void add(HashChainBreak hashChainBreak) {
        if (isFull()) {
            reportEvent(hashChainBreak, AuditFinding.Kind.BROKEN, BROKEN);
            return;
        }
        hashChainBreaks.add(hashChainBreak);
        candidateHashes.add(hashChainBreak.previousHash);
        if (hashChainBreak.hash != null) {
            candidateHashes.add(hashChainBreak.hash);
        }
        candidateSeqs.add(hashChainBreak.seq);
        candidateSeqs.add(hashChainBreak.seq - 1);
    }

    /** Whether the limit is reached, so that further unlinked events are only reported as broken. */
    boolean isFull() {
        return hashChainBreaks.size() == MAX_UNLINKED;
    }

    /** Records a gap in the stream; the missing event may be found at another seq. */
    void addGap(long first, long last, @Nullable Hash hashBefore) {
        if (gaps.size() == MAX_UNLINKED) {
            reportGap(new Gap(first, last));
            return;
        }
        gaps.add(new Gap(first, last));
        candidateSeqs.add(first);
        if (hashBefore != null) {
            candidateHashes.add(hashBefore);
        }
    }

    /** Classifies and reports all recorded events and gaps. */
    void resolve() {
        Set<Long> foundSeqs = new HashSet<>();
        for (HashChainBreak hashChainBreak : hashChainBreaks) {
            resolve(hashChainBreak, foundSeqs);
        }
        for (Gap gap : gaps) {
            if (gap.first < gap.last || !foundSeqs.contains(gap.first)) {
                reportGap(gap);
            }
        }
    }

    private void reportGap(Gap gap) {
        auditFindingCollector.add(
                gap.first,
                null,
                AuditFinding.Kind.MISSING,
                gap.first == gap.last
                        ? "the event is missing, and retention did not delete it"
                        : "the events %d to %d are missing, and retention did not delete them"
                                .formatted(gap.first, gap.last));
    }

    private void resolve(HashChainBreak hashChainBreak, Set<Long> foundSeqs) {
        Long writtenSeq = originalSeq(hashChainBreak);
        if (writtenSeq != null) {
            foundSeqs.add(writtenSeq);
        }
        if (writtenSeq != null && writtenSeq != hashChainBreak.seq) {
            reportEvent(hashChainBreak, AuditFinding.Kind.REORDERED, "it was written as seq " + writtenSeq);
        } else if (writtenSeq != null && isFault(hashChainBreak.predecessor, hashChainBreak.afterFaultyEvent)) {
            return; // It is in its original place; its predecessor is not, and is reported already.
        } else if (hashChainBreak.successor == HashChainBreak.Successor.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE) {
            reportEvent(
                    hashChainBreak, AuditFinding.Kind.EDITED, "its hash was changed; the event itself is unchanged");
        } else if (hashChainBreak.successor == HashChainBreak.Successor.DOES_NOT_FOLLOW) {
            reportEvent(
                    hashChainBreak,
                    AuditFinding.Kind.INSERTED,
                    "it does not follow from the event before it, and the next event does not follow from it");
        } else if (hashChainBreak.predecessor == null
                || hashChainBreak.predecessor.findingKind != AuditFinding.Kind.INSERTED) {
            reportEvent(hashChainBreak, AuditFinding.Kind.BROKEN, BROKEN);
        }
    }

    private static boolean isFault(@Nullable HashChainBreak predecessor, boolean fallback) {
        return predecessor == null ? fallback : predecessor.findingKind != null;
    }

    private void reportEvent(HashChainBreak hashChainBreak, AuditFinding.Kind kind, String detail) {
        hashChainBreak.findingKind = kind;
        auditFindingCollector.add(hashChainBreak.seq, hashChainBreak.subject, kind, detail);
    }

    private @Nullable Long originalSeq(HashChainBreak hashChainBreak) {
        if (hashChainBreak.hash == null) {
            return null;
        }
        for (Hash hash : candidateHashes) {
            for (long candidateSeq : candidateSeqs) {
                if (HashChainCalculator.nextHash(hash, candidateSeq, hashChainBreak.digest)
                        .equals(hashChainBreak.hash)) {
                    return candidateSeq;
                }
            }
        }
        return null;
    }
}
