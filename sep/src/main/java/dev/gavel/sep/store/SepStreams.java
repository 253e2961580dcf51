package dev.gavel.sep.store;

/** The names of the ledger streams of the SEP service. */
public final class SepStreams {
    /** What happened to proposals, by their numbers. */
    public static final String SEPS = "system:seps";

    /** The documents, by the hash of their text: written before what refers to them. */
    public static final String DOCUMENTS = "system:sep-documents";

    /** The process that proposals went by, whenever it changed. */
    public static final String PROCESS = "system:sep-process";

    /** How far each webhook was told. */
    public static final String NOTICES = "system:sep-notices";

    private SepStreams() {}
}
