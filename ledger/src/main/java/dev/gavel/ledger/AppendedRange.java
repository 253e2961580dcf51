package dev.gavel.ledger;

/** The first and last sequence number of the events that the ledger writer has just appended to a stream. Immutable. */
public record AppendedRange(String stream, long firstSeq, long lastSeq) {}
