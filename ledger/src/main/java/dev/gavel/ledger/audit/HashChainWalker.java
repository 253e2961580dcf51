package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.HashChainEntry;
import dev.gavel.ledger.HashChainPage;
import dev.gavel.ledger.LedgerEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies one stream's hash chain entry by entry, compares the chain with trusted hashes recorded outside the ledger,
 * and records the findings. It has no side effects beyond its own state. Not thread-safe.
 */
final class HashChainWalker {
    private final String stream;
    private final AuditFindingCollector auditFindingCollector;
    private final HashChainBreakClassifier classifier;
    private final List<TrustedHead> headsToCompare;
    private final List<TrustedHead.Comparison> comparisons = new ArrayList<>();

    /** The seq up to which all entries are checked or reported as missing. */
    private long position;

    /** The hash at {@link #position}; null if it is unknown. */
    private @Nullable Hash previousHash = HashChainCalculator.GENESIS_HASH;

    /** The event at {@link #position} if it does not follow from its predecessor. */
    private @Nullable HashChainBreak previousUnlinked;

    /** Whether the event at {@link #position} has another fault. */
    private boolean previousFaulty;

    /** The last seq and hash according to the stream's row; null until the walk reaches that seq. */
    private @Nullable StreamEnd streamEnd;

    private record StreamEnd(long seq, @Nullable Hash hash) {}

    private long eventCount;
    private long prunedCount;

    HashChainWalker(String stream, List<TrustedHead> trustedHeads) {
        this.stream = stream;
        this.auditFindingCollector = new AuditFindingCollector(stream);
        this.classifier = new HashChainBreakClassifier(auditFindingCollector);
        this.headsToCompare = new ArrayList<>(trustedHeads);
    }

    /** Returns the seq up to which all entries are checked or reported as missing. */
    long position() {
        return position;
    }

    void visit(HashChainPage page, Runnable onEvent) {
        for (HashChainEntry chainEntry : page.entries()) {
            if (streamEnd == null && chainEntry.seq() > page.range().last()) {
                checkEnd(page);
            }
            switch (chainEntry) {
                case HashChainEntry.StoredEvent storedEvent -> {
                    visit(storedEvent);
                    eventCount++;
                    onEvent.run();
                }
                case HashChainEntry.PrunedRange prunedRange -> visit(prunedRange);
                case HashChainEntry.UnreadableRow unreadableRow -> visit(unreadableRow);
            }
        }
        if (page.nextAfter() == null && streamEnd == null) {
            checkEnd(page);
        }
    }

    private void visit(HashChainEntry.StoredEvent storedEvent) {
        LedgerEvent event = storedEvent.event();
        if (event.seq() <= position) {
            auditFindingCollector.add(
                    event.seq(),
                    event.subject(),
                    AuditFinding.Kind.INSERTED,
                    "it is among events that retention deleted, or another event has the same seq");
            return;
        }
        if (streamEnd == null) {
            skipTo(event.seq());
        }
        Hash digest = HashChainCalculator.digest(event);
        LinkCheck linkCheck = checkLink(storedEvent, digest);
        if (streamEnd != null && linkCheck == LinkCheck.RIGHT) {
            auditFindingCollector.add(
                    event.seq(),
                    event.subject(),
                    AuditFinding.Kind.HEAD,
                    "it comes after the topic's recorded last event");
        }
        @Nullable HashChainBreak hashChainBreak = null;
        switch (linkCheck) {
            case RIGHT -> {}
            case EDITED ->
                auditFindingCollector.add(
                        event.seq(),
                        event.subject(),
                        AuditFinding.Kind.EDITED,
                        "it is not what was written; it is now '%s' by '%s'".formatted(event.type(), event.actor()));
            case OTHER_DIGEST ->
                auditFindingCollector.add(
                        event.seq(),
                        event.subject(),
                        AuditFinding.Kind.EDITED,
                        "its digest was changed; the event itself is unchanged");
            case ONE_EARLIER -> reportReordered(event, event.seq() - 1);
            case ONE_LATER -> reportReordered(event, event.seq() + 1);
            case NO_HASH ->
                auditFindingCollector.add(
                        event.seq(),
                        event.subject(),
                        AuditFinding.Kind.EDITED,
                        "its hash was destroyed, and the event before it is missing");
            case DOES_NOT_FOLLOW -> {
                Hash lastKnownHash = previousHash == null ? HashChainCalculator.GENESIS_HASH : previousHash;
                hashChainBreak = new HashChainBreak(
                        event.seq(),
                        event.subject(),
                        digest,
                        storedEvent.hash(),
                        lastKnownHash,
                        HashChainCalculator.nextHash(lastKnownHash, event.seq(), digest),
                        classifier.isFull() ? null : previousUnlinked);
                hashChainBreak.afterFaultyEvent = previousFaulty;
                if (streamEnd != null) {
                    hashChainBreak.successor = HashChainBreak.Successor.DOES_NOT_FOLLOW;
                }
                classifier.add(hashChainBreak);
            }
        }
        Hash nextPreviousHash = storedEvent.hash() == null && previousHash != null
                ? HashChainCalculator.nextHash(previousHash, event.seq(), digest)
                : storedEvent.hash();
        compareHeads(event.seq(), event.seq(), storedEvent.hash());
        position = event.seq();
        previousHash = nextPreviousHash;
        previousUnlinked = hashChainBreak;
        previousFaulty = linkCheck != LinkCheck.RIGHT && linkCheck != LinkCheck.DOES_NOT_FOLLOW;
    }

    private enum LinkCheck {
        RIGHT,
        EDITED,
        OTHER_DIGEST,
        ONE_EARLIER,
        ONE_LATER,
        NO_HASH,
        DOES_NOT_FOLLOW
    }

    /** Checks an event against its predecessor, and records what that says about an unlinked predecessor. */
    private LinkCheck checkLink(HashChainEntry.StoredEvent storedEvent, Hash digest) {
        long seq = storedEvent.seq();
        boolean digestMatches = digest.equals(storedEvent.digest());
        @Nullable Hash hash = storedEvent.hash();
        if (streamEnd != null && seq != position + 1) {
            return LinkCheck.DOES_NOT_FOLLOW;
        }
        if (previousHash == null) {
            return !digestMatches ? LinkCheck.EDITED : hash == null ? LinkCheck.NO_HASH : LinkCheck.RIGHT;
        }
        if (HashChainCalculator.nextHash(previousHash, seq, digest).equals(hash)) {
            setSuccessor(HashChainBreak.Successor.FOLLOWS);
            return digestMatches ? LinkCheck.RIGHT : LinkCheck.OTHER_DIGEST;
        }
        if (storedEvent.digest() != null && !digestMatches) {
            boolean inPlace = HashChainCalculator.nextHash(previousHash, seq, storedEvent.digest())
                    .equals(hash);
            setSuccessor(inPlace ? HashChainBreak.Successor.FOLLOWS : HashChainBreak.Successor.DOES_NOT_FOLLOW);
            return LinkCheck.EDITED;
        }
        if (previousUnlinked != null
                && HashChainCalculator.nextHash(previousUnlinked.expectedHash, seq, digest)
                        .equals(hash)) {
            setSuccessor(HashChainBreak.Successor.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE);
            return digestMatches ? LinkCheck.RIGHT : LinkCheck.OTHER_DIGEST;
        }
        // If an event was inserted or removed and the rest moved by one, all later events are one seq off.
        if (HashChainCalculator.nextHash(previousHash, seq - 1, digest).equals(hash)) {
            setSuccessor(HashChainBreak.Successor.FOLLOWS);
            return LinkCheck.ONE_EARLIER;
        }
        if (HashChainCalculator.nextHash(previousHash, seq + 1, digest).equals(hash)) {
            setSuccessor(HashChainBreak.Successor.FOLLOWS);
            return LinkCheck.ONE_LATER;
        }
        setSuccessor(HashChainBreak.Successor.DOES_NOT_FOLLOW);
        return LinkCheck.DOES_NOT_FOLLOW;
    }

    private void setSuccessor(HashChainBreak.Successor successor) {
        if (previousUnlinked != null) {
            // If the event's hash was destroyed, the walk went on with the hash it should have.
            previousUnlinked.successor = successor == HashChainBreak.Successor.FOLLOWS && previousUnlinked.hash == null
                    ? HashChainBreak.Successor.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE
                    : successor;
        }
    }

    private void reportReordered(LedgerEvent event, long originalSeq) {
        auditFindingCollector.add(
                event.seq(), event.subject(), AuditFinding.Kind.REORDERED, "it was written as seq " + originalSeq);
    }

    private void visit(HashChainEntry.PrunedRange prunedRange) {
        if (prunedRange.last() <= position) {
            return;
        }
        if (streamEnd == null) {
            skipTo(prunedRange.seq());
        } else {
            auditFindingCollector.add(
                    prunedRange.seq(),
                    null,
                    AuditFinding.Kind.HEAD,
                    "events were deleted after the topic's recorded last event");
        }
        // The range may begin before the position: events that were already visited may have been pruned since.
        prunedCount += prunedRange.last() - Math.max(prunedRange.seq() - 1, position);
        if (prunedRange.hash() == null) {
            auditFindingCollector.add(
                    prunedRange.last(),
                    null,
                    AuditFinding.Kind.EDITED,
                    "retention deleted it, and its hash was destroyed");
        }
        compareHeads(position + 1, prunedRange.last(), prunedRange.hash());
        position = prunedRange.last();
        previousHash = prunedRange.hash();
        previousUnlinked = null;
        previousFaulty = false;
    }

    private void visit(HashChainEntry.UnreadableRow unreadableRow) {
        if (streamEnd == null && unreadableRow.seq() > position) {
            skipTo(unreadableRow.seq());
            position = unreadableRow.seq();
            previousHash = null;
            previousUnlinked = null;
            previousFaulty = true;
        }
        auditFindingCollector.add(
                unreadableRow.seq(),
                null,
                unreadableRow.seq() < 1 ? AuditFinding.Kind.INSERTED : AuditFinding.Kind.EDITED,
                unreadableRow.reason());
    }

    /** Records the events between the position and {@code seq} as missing. */
    private void skipTo(long seq) {
        long first = position + 1;
        if (seq <= first) {
            return;
        }
        classifier.addGap(first, seq - 1, previousHash);
        position = seq - 1;
        previousHash = null;
        previousUnlinked = null;
        previousFaulty = false;
    }

    /** Compares the trusted heads between {@code first} and {@code last} with the hash at {@code last}. */
    private void compareHeads(long first, long last, @Nullable Hash hash) {
        for (TrustedHead trustedHead : List.copyOf(headsToCompare)) {
            if (trustedHead.seq() >= first && trustedHead.seq() <= last) {
                addComparison(
                        trustedHead,
                        trustedHead.seq() < last
                                ? TrustedHead.Result.FORGOTTEN
                                : trustedHead.hash().equals(hash)
                                        ? TrustedHead.Result.RIGHT
                                        : TrustedHead.Result.WRONG);
            }
        }
    }

    private void addComparison(TrustedHead trustedHead, TrustedHead.Result result) {
        headsToCompare.remove(trustedHead);
        comparisons.add(new TrustedHead.Comparison(trustedHead, result));
        if (result == TrustedHead.Result.WRONG) {
            auditFindingCollector.add(
                    trustedHead.seq(),
                    null,
                    AuditFinding.Kind.HEAD,
                    "the head to compare with is %s: the events up to here are not what was written"
                            .formatted(trustedHead.hash()));
        }
    }

    /** Compares the end of the chain with the end that the stream's row records. */
    private void checkEnd(HashChainPage page) {
        skipTo(Math.min(page.range().last(), Long.MAX_VALUE - 1) + 1);
        streamEnd = new StreamEnd(position, previousHash);
        if (previousHash != null) {
            compareHead(page.head(), previousHash);
        }
        if (page.range().first() != page.prunedUpTo() + 1) {
            auditFindingCollector.add(
                    page.range().first(),
                    null,
                    AuditFinding.Kind.HEAD,
                    "the topic records this as the first seq from which all events are stored, but that is %d"
                            .formatted(page.prunedUpTo() + 1));
        }
    }

    private void compareHead(@Nullable Hash head, Hash hash) {
        if (previousUnlinked != null) {
            setSuccessor(
                    hash.equals(head)
                            ? HashChainBreak.Successor.FOLLOWS
                            : previousUnlinked.expectedHash.equals(head)
                                    ? HashChainBreak.Successor.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE
                                    : HashChainBreak.Successor.DOES_NOT_FOLLOW);
        } else if (!hash.equals(head)) {
            auditFindingCollector.add(
                    position,
                    null,
                    AuditFinding.Kind.HEAD,
                    "the topic records %s as the hash of its last event, but that is %s".formatted(head, hash));
        }
    }

    /** Returns the result of the walk. */
    StreamAuditResult result() {
        for (TrustedHead trustedHead : List.copyOf(headsToCompare)) {
            addComparison(trustedHead, TrustedHead.Result.WRONG);
        }
        classifier.resolve();
        StreamEnd end = streamEnd == null ? new StreamEnd(position, previousHash) : streamEnd;
        return new StreamAuditResult(
                stream,
                eventCount,
                prunedCount,
                end.seq,
                end.hash,
                auditFindingCollector.sorted(),
                auditFindingCollector.moreCount(),
                comparisons);
    }
}
