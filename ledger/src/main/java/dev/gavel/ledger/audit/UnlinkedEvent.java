package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import org.jspecify.annotations.Nullable;

/**
 * An event whose hash does not follow from the event before it, with the evidence for classifying it. Not thread-safe.
 */
final class UnlinkedEvent {
    /** How what stands behind it goes on from it. */
    enum Successor {
        NOTHING,
        FOLLOWS,
        FOLLOWS_WHAT_ITS_HASH_SHOULD_BE,
        DOES_NOT_FOLLOW
    }

    final long seq;
    final String subject;
    final Hash digest;
    final @Nullable Hash hash;

    /** The hash of what stands before it. */
    final Hash previousHash;

    /** What its hash would be, were it in its place. */
    final Hash expectedHash;

    /** What stands right before it, where that is one too. */
    final @Nullable UnlinkedEvent predecessor;

    /** Whether something was found wrong with what stands right before it. */
    boolean afterFaultyEvent;

    Successor successor = Successor.NOTHING;

    /** What it was found to be, once it was. */
    AuditFinding.@Nullable Kind findingKind;

    UnlinkedEvent(
            long seq,
            String subject,
            Hash digest,
            @Nullable Hash hash,
            Hash before,
            Hash shouldBe,
            @Nullable UnlinkedEvent predecessor) {
        this.predecessor = predecessor;
        this.seq = seq;
        this.subject = subject;
        this.digest = digest;
        this.hash = hash;
        this.previousHash = before;
        this.expectedHash = shouldBe;
    }
}
