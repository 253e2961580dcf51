package dev.gavel.ledger.postgres;

/** The PostgreSQL advisory locks of a ledger, each with the SQL that acquires it. */
enum AdvisoryLockSql {
    /** Held by the process that changes the schema. */
    SCHEMA,
    /** Held by the transaction that creates streams. */
    STREAMS,
    /**
     * Held exclusively by a transaction that writes changes to identities, and shared by the transactions whose
     * decisions depend on them. A transaction acquires it after its stream rows, so it cannot cause a deadlock.
     */
    IDENTITIES,
    /** Held by the processes that use the ledger: shared by several, or exclusively by one. */
    USE;

    private String key() {
        return "hashtextextended('gavel " + name() + " ' || current_schema(), 0)";
    }

    /** Returns SQL that waits for the lock and holds it until the transaction ends. */
    String lockForTransaction() {
        return "SELECT pg_advisory_xact_lock(" + key() + ")";
    }

    /** Returns SQL like that of {@link #lockForTransaction}, for a lock that is shared with other holders. */
    String lockSharedForTransaction() {
        return "SELECT pg_advisory_xact_lock_shared(" + key() + ")";
    }

    /** Returns SQL that tries to acquire the lock without waiting, and holds it until the connection closes. */
    String tryExclusive() {
        return "SELECT pg_try_advisory_lock(" + key() + ")";
    }

    /** Returns SQL like that of {@link #tryExclusive}, for a lock that is shared with other holders. */
    String tryShared() {
        return "SELECT pg_try_advisory_lock_shared(" + key() + ")";
    }
}
