package dev.gavel.ledger;

/** A stream has grown by the events from one seq to another, all of them durable. Immutable. */
public record AppendedRange(String stream, long first, long last) {}
