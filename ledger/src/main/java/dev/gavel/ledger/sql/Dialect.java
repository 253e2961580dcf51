package dev.gavel.ledger.sql;

/** Where databases differ in what they are asked. Stateless. */
public interface Dialect {
    /** What joins tables in the order they are written: SQLite keeps to it only where it is told so. */
    String join();

    /** The function that gives the greater of two numbers. */
    String greater();

    /** The streams ever written to, by name. */
    String streams();

    /** A text as it is kept. */
    default String kept(String text) {
        return text;
    }

    /** The text that is kept so. */
    default String read(String kept) {
        return kept;
    }
}
