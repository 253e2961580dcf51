package dev.gavel.sep.store;

/** The names of the ledger streams in which the SEP service stores its events. */
public final class SepStreamNames {
    /** The events of SEPs, by number. */
    public static final String SEPS = "system:seps";

    /** The documents, by the hash of their text; a document is written before any event that refers to it. */
    public static final String DOCUMENTS = "system:sep-documents";

    /** The process that the SEPs follow, one event for each change. */
    public static final String PROCESS = "system:sep-process";

    /** The digests of waiting SEPs, by the role that gets them. */
    public static final String DIGESTS = "system:sep-digests";

    /** The cursor of each webhook and mailbox. */
    public static final String WEBHOOK_CURSORS = "system:sep-notices";

    private SepStreamNames() {}
}
