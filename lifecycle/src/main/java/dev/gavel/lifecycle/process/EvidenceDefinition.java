package dev.gavel.lifecycle.process;

import java.util.List;

/**
 * Defines a kind of evidence in a process: its format, how long it stays valid and which roles may give it.
 *
 * @param description what it is, worded as a noun phrase: "a link to working code"
 * @param allowedRoles the roles that may give it
 */
public record EvidenceDefinition(
        String name, Format format, Validity validity, String description, List<String> allowedRoles) {
    /** The format of a piece of evidence. */
    public enum Format {
        /** An http or https link. */
        LINK,
        /** Free text. */
        TEXT,
        /** A date. */
        DATE,
        /** The tally of the state's vote; only voting produces it, an actor cannot attach it. */
        TALLY
    }

    /** How long a piece of evidence is valid. */
    public enum Validity {
        /** For every later move. */
        ALWAYS,
        /** Until the proposal leaves the state in which the evidence was attached. */
        STATE,
        /** Only for the move with which it comes. */
        MOVE
    }

    public EvidenceDefinition {
        allowedRoles = List.copyOf(allowedRoles);
    }
}
