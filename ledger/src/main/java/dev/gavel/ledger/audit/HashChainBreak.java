package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import org.jspecify.annotations.Nullable;

/**
 * An event whose hash does not continue its stream's hash chain, with the evidence for classifying the break. Not
 * thread-safe.
 */
final class HashChainBreak {
    /** How the next entry of the chain relates to this event. */
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

    /** The hash of the preceding entry. */
    final Hash previousHash;

    /** The hash that this event would have if it had been written at its seq. */
    final Hash expectedHash;

    /** The preceding event, if that is unlinked too. */
    final @Nullable HashChainBreak predecessor;

    /** Whether the preceding event has another fault. */
    boolean afterFaultyEvent;

    Successor successor = Successor.NOTHING;

    /** The kind of finding that was reported for this event; null before. */
    AuditFinding.@Nullable Kind findingKind;

    HashChainBreak(
            long seq,
            String subject,
            Hash digest,
            @Nullable Hash hash,
            Hash hashBefore,
            Hash hashExpected,
            @Nullable HashChainBreak predecessor) {
        this.predecessor = predecessor;
        this.seq = seq;
        this.subject = subject;
        this.digest = digest;
        this.hash = hash;
        this.previousHash = hashBefore;
        this.expectedHash = hashExpected;
    }
}
