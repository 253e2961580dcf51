package dev.gavel.ledger.sql;

/** Supplies the SQL fragments and text encoding in which SQLite and PostgreSQL differ. Stateless. */
public interface SqlDialect {
    /** What joins tables in the order they are written: SQLite keeps to it only where it is told so. */
    String joinKeyword();

    /** The function that gives the greater of two numbers. */
    String greatestFunction();

    /** The streams ever written to, by name. */
    String streamsQuery();

    /** A text as it is kept. */
    default String encodeText(String text) {
        return text;
    }

    /** The text that is kept so. */
    default String decodeText(String kept) {
        return kept;
    }
}
