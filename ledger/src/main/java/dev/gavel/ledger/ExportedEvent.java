package dev.gavel.ledger;

import org.jspecify.annotations.Nullable;

/**
 * An exported ledger event with its stored hash and, after a pruned range, the hash of its predecessor. Immutable.
 *
 * @param hash its hash as it is kept; null where that is none any more
 * @param previousHash the hash of the event before, where that one was pruned: else it is the one of the event before
 */
public record ExportedEvent(
        LedgerEvent event, @Nullable Hash hash, @Nullable Hash previousHash) {}
