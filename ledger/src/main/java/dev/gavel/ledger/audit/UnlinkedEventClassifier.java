package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classifies events that do not follow from their predecessor as reordered, edited, inserted or broken. The hash of an
 * event reveals its original place: only the original seq and the original preceding hash reproduce it. The classifier
 * tries the seqs and hashes near the breaks, so it names both of two events that were swapped. Not thread-safe.
 */
final class UnlinkedEventClassifier {
    /**
     * The classification takes time cubic in this number; further unlinked events are reported as broken without it.
     */
    private static final int MAX_UNLINKED = 48;

    private static final String BROKEN =
            "it does not follow from what stands before it: one of the two was replaced together with its hashes";

    private final AuditFindingCollector auditFindingCollector;
    private final List<UnlinkedEvent> unlinkedEvents = new ArrayList<>();
    private final Set<Hash> candidateHashes = new LinkedHashSet<>();
    private final Set<Long> candidateSeqs = new LinkedHashSet<>();
    private final List<Gap> gaps = new ArrayList<>();

    private record Gap(long first, long last) {}

    UnlinkedEventClassifier(AuditFindingCollector auditFindingCollector) {
        this.auditFindingCollector = auditFindingCollector;
    }

    void add(UnlinkedEvent unlinkedEvent) {
        if (isFull()) {
            reportEvent(unlinkedEvent, AuditFinding.Kind.BROKEN, BROKEN);
            return;
        }
        unlinkedEvents.add(unlinkedEvent);
        candidateHashes.add(unlinkedEvent.previousHash);
        if (unlinkedEvent.hash != null) {
            candidateHashes.add(unlinkedEvent.hash);
        }
        candidateSeqs.add(unlinkedEvent.seq);
        candidateSeqs.add(unlinkedEvent.seq - 1);
    }

    /** Whether the limit is reached, so that further unlinked events are only reported as broken. */
    boolean isFull() {
        return unlinkedEvents.size() == MAX_UNLINKED;
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
        for (UnlinkedEvent unlinkedEvent : unlinkedEvents) {
            resolve(unlinkedEvent, foundSeqs);
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
                        ? "there is no such event any more, and retention has not forgotten it"
                        : "there are no events %d to %d any more, and retention has not forgotten them"
                                .formatted(gap.first, gap.last));
    }

    private void resolve(UnlinkedEvent unlinkedEvent, Set<Long> foundSeqs) {
        Long writtenSeq = originalSeq(unlinkedEvent);
        if (writtenSeq != null) {
            foundSeqs.add(writtenSeq);
        }
        if (writtenSeq != null && writtenSeq != unlinkedEvent.seq) {
            reportEvent(unlinkedEvent, AuditFinding.Kind.REORDERED, "it was written as seq " + writtenSeq);
        } else if (writtenSeq != null && isFault(unlinkedEvent.predecessor, unlinkedEvent.afterFaultyEvent)) {
            return; // It is in its original place; its predecessor is not, and is reported already.
        } else if (unlinkedEvent.successor == UnlinkedEvent.Successor.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE) {
            reportEvent(
                    unlinkedEvent,
                    AuditFinding.Kind.EDITED,
                    "its hash was changed; the event itself is as it was written");
        } else if (unlinkedEvent.successor == UnlinkedEvent.Successor.DOES_NOT_FOLLOW) {
            reportEvent(
                    unlinkedEvent,
                    AuditFinding.Kind.INSERTED,
                    "it follows from nothing that stands before it, and nothing follows from it");
        } else if (unlinkedEvent.predecessor == null
                || unlinkedEvent.predecessor.findingKind != AuditFinding.Kind.INSERTED) {
            reportEvent(unlinkedEvent, AuditFinding.Kind.BROKEN, BROKEN);
        }
    }

    private static boolean isFault(@Nullable UnlinkedEvent predecessor, boolean fallback) {
        return predecessor == null ? fallback : predecessor.findingKind != null;
    }

    private void reportEvent(UnlinkedEvent unlinkedEvent, AuditFinding.Kind kind, String detail) {
        unlinkedEvent.findingKind = kind;
        auditFindingCollector.add(unlinkedEvent.seq, unlinkedEvent.subject, kind, detail);
    }

    private @Nullable Long originalSeq(UnlinkedEvent unlinkedEvent) {
        if (unlinkedEvent.hash == null) {
            return null;
        }
        for (Hash hash : candidateHashes) {
            for (long candidateSeq : candidateSeqs) {
                if (HashChain.nextHash(hash, candidateSeq, unlinkedEvent.digest).equals(unlinkedEvent.hash)) {
                    return candidateSeq;
                }
            }
        }
        return null;
    }
}
