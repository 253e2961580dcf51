package dev.gavel.ledger;

/** The range of seqs that the ledger writer has just appended to a stream. Immutable. */
public record AppendedRange(String stream, long firstSeq, long lastSeq) {}
