package dev.gavel.ledger;

/**
 * Tells the ledger writer whether the disk of the ledger has so little free space that only essential tasks may write,
 * such as revocations. Thread-safe.
 */
@FunctionalInterface
public interface FreeSpaceProbe {
    /** For a store whose disk is unknown, such as a database server. */
    FreeSpaceProbe UNKNOWN = () -> false;

    /** Whether less space than the reserve is free. */
    boolean isLow();
}
