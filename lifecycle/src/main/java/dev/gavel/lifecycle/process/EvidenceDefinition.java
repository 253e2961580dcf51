package dev.gavel.lifecycle.process;

import java.util.List;
import java.util.Optional;

/**
 * Defines a kind of evidence in a process: its format, how long it stays valid and which roles may give it.
 *
 * @param description what it is, worded as a noun phrase: "a link to working code"
 * @param allowedRoles the roles that may give it
 * @param confirmingRole the role of which another person must confirm it; if empty, it needs no confirmation
 * @param excludedRoles the roles whose holders in the proposal may neither give nor confirm it; if empty, the default of
 *     the process applies
 */
public record EvidenceDefinition(
        String name,
        Format format,
        Validity validity,
        String description,
        List<String> allowedRoles,
        Optional<String> confirmingRole,
        Optional<List<String>> excludedRoles) {
    /** The format of a piece of evidence. */
    public enum Format {
        /** An http or https link. */
        LINK,
        /** Free text. */
        TEXT,
        /** A date. */
        DATE,
        /** The state for which it decides, a colon and text. */
        DECISION,
        /** The tally of the state's vote if it carried; only voting produces it, an actor cannot attach it. */
        TALLY,
        /** The tally of the state's vote if it was lost; only voting produces it, an actor cannot attach it. */
        LOST_TALLY;

        /** Whether only voting produces such evidence. */
        public boolean isResultOfVote() {
            return this == TALLY || this == LOST_TALLY;
        }
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
        excludedRoles = excludedRoles.map(List::copyOf);
    }
}
