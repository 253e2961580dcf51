package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import org.jspecify.annotations.Nullable;

/** An event that says what its digest says, but does not follow from what stands before it. Not thread-safe. */
final class Suspect {
    /** How what stands behind it goes on from it. */
    enum Behind {
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
    final Hash before;

    /** What its hash would be, were it in its place. */
    final Hash shouldBe;

    /** What stands right before it, where that is one too. */
    final @Nullable Suspect predecessor;

    /** Whether something was found wrong with what stands right before it. */
    boolean afterFault;

    Behind behind = Behind.NOTHING;

    /** What it was found to be, once it was. */
    Finding.@Nullable Kind named;

    Suspect(
            long seq,
            String subject,
            Hash digest,
            @Nullable Hash hash,
            Hash before,
            Hash shouldBe,
            @Nullable Suspect predecessor) {
        this.predecessor = predecessor;
        this.seq = seq;
        this.subject = subject;
        this.digest = digest;
        this.hash = hash;
        this.before = before;
        this.shouldBe = shouldBe;
    }
}
