package dev.gavel.lifecycle.process;

import java.util.List;

/**
 * Defines a kind of evidence in a process: its format, how long it stays valid and which roles may give it.
 *
 * @param description what it is, as in "still needed: …"
 * @param allowedRoles the roles that may give it
 */
public record EvidenceKind(
        String name, Format format, Validity validity, String description, List<String> allowedRoles) {
    /** What a piece of evidence must look like. */
    public enum Format {
        /** An address that can be opened. */
        LINK,
        /** Words. */
        TEXT,
        /** A day. */
        DATE,
        /** The outcome of the vote of the state; nobody can give it, only voting makes it. */
        TALLY
    }

    /** How long a piece of evidence counts. */
    public enum Validity {
        /** Once given, for every later move. */
        ALWAYS,
        /** Until the state is left that it was given in. */
        STATE,
        /** For the move that it comes with, and no other. */
        MOVE
    }

    public EvidenceKind {
        allowedRoles = List.copyOf(allowedRoles);
    }
}
