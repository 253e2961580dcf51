package dev.gavel.ledger;

import org.jspecify.annotations.Nullable;

/**
 * An exported ledger event with its hash, and also with the previous event's hash if that event was deleted. Immutable.
 *
 * @param hash the hash as the database stores it; null if the stored value is not a hash
 * @param previousHash the hash of the preceding event if that event was pruned; null otherwise, since the export then
 *     contains that event with its hash
 */
public record ExportedEvent(
        LedgerEvent event, @Nullable Hash hash, @Nullable Hash previousHash) {}
