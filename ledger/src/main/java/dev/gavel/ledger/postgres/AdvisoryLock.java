package dev.gavel.ledger.postgres;

/** The PostgreSQL advisory locks of a ledger, with the SQL that acquires them. */
enum AdvisoryLock {
    /** Whoever changes the schema. */
    SCHEMA,
    /** Whoever begins a stream. */
    STREAMS,
    /** Whoever uses the ledger: many together, or one alone. */
    USE;

    private String key() {
        return "hashtextextended('gavel " + name() + " ' || current_schema(), 0)";
    }

    /** Waits for it, and has it until the transaction ends. */
    String lockForTransaction() {
        return "SELECT pg_advisory_xact_lock(" + key() + ")";
    }

    /** Takes it until the connection ends, if that can be had now. */
    String tryExclusive() {
        return "SELECT pg_try_advisory_lock(" + key() + ")";
    }

    /** The same, together with others that do so. */
    String tryShared() {
        return "SELECT pg_try_advisory_lock_shared(" + key() + ")";
    }
}
