package dev.gavel.lifecycle.process;

import java.util.List;

/**
 * A sort of evidence.
 *
 * @param says what it is, as in "still needed: …"
 * @param who the roles that may give it
 */
public record EvidenceKind(String name, Form form, Lasts lasts, String says, List<String> who) {
    /** What a piece of evidence must look like. */
    public enum Form {
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
    public enum Lasts {
        /** Once given, for every later move. */
        ALWAYS,
        /** Until the state is left that it was given in. */
        STATE,
        /** For the move that it comes with, and no other. */
        MOVE
    }

    public EvidenceKind {
        who = List.copyOf(who);
    }
}
