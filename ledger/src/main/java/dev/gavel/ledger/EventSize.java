package dev.gavel.ledger;

import java.time.Instant;

/**
 * The seq, time and body length of a stored ledger event, from which retention by size or age is computed.
 *
 * @param bytes the length of the event's body
 */
public record EventSize(long seq, Instant at, long bytes) {}
