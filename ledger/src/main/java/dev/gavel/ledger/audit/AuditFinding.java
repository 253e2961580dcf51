package dev.gavel.ledger.audit;

import org.jspecify.annotations.Nullable;

/**
 * A deviation that the audit found in a stream: its place, the kind of tampering and a one-line explanation. Immutable.
 *
 * @param seq the seq of the affected event; of several events the first
 * @param subject the subject of the affected event; null if unknown
 * @param detail what is wrong, on one line
 */
public record AuditFinding(
        String stream, long seq, @Nullable String subject, Kind kind, String detail) {
    /** The kind of tampering. */
    public enum Kind {
        /** The content of an event, or one of its hashes, was changed. */
        EDITED,
        /** An event is missing that was not pruned. */
        MISSING,
        /** An event has another seq than the one it was written with. */
        REORDERED,
        /** An event was added that the ledger writer never wrote. */
        INSERTED,
        /** An event does not follow from its predecessor: one of the two was replaced together with its hashes. */
        BROKEN,
        /** The stream's row records a wrong first seq or head hash, or the chain does not match a trusted head. */
        HEAD
    }
}
