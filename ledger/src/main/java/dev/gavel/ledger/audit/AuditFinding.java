package dev.gavel.ledger.audit;

import org.jspecify.annotations.Nullable;

/**
 * A place in a stream that is not as it was written, with the kind of tampering and a one-line explanation. Immutable.
 *
 * @param seq where; of several events the first
 * @param subject what it happened to, where that is known
 * @param detail what is wrong, on one line
 */
public record AuditFinding(
        String stream, long seq, @Nullable String subject, Kind kind, String detail) {
    /** What has happened to it. */
    public enum Kind {
        /** It says something else than when it was written, or its hashes were changed. */
        EDITED,
        /** It is gone, and not by pruning. */
        MISSING,
        /** It stands somewhere else than where it was written. */
        REORDERED,
        /** It was never written. */
        INSERTED,
        /** It does not follow from what stands before it: one of the two was replaced together with its hashes. */
        BROKEN,
        /** What the stream's own record says of its beginning or end is not so, or an end noted earlier is not there. */
        HEAD
    }
}
