package dev.gavel.ledger.sql;

/** Supplies the SQL fragments and text encoding in which SQLite and PostgreSQL differ. Stateless. */
public interface SqlDialect {
    /**
     * Returns the keyword that joins tables in the written order. SQLite needs a special keyword to keep that order.
     */
    String joinKeyword();

    /** Returns the name of the function for the greater of two numbers. */
    String greatestFunction();

    /** Returns a query for all streams that were ever written to, ordered by name. */
    String streamsQuery();

    /** Encodes a text for storage. */
    default String encodeText(String text) {
        return text;
    }

    /** Decodes a stored text. */
    default String decodeText(String stored) {
        return stored;
    }
}
