package dev.gavel.web.console.sep;

import java.time.Instant;

/**
 * A person or role that must act on a SEP, and since when.
 *
 * @param who a person, or the title of a role
 * @param role the role in which a person acts; empty if {@code who} is a role
 * @param you whether the reader is meant
 * @param nextStep what the actor should do; empty if that is not known
 */
public record SepRequiredActor(String who, String role, boolean you, Instant since, String nextStep) {
    /** The actor as text for the reader. */
    public String text() {
        if (!you) {
            return who;
        }
        return role.isEmpty() ? "you, as " + who : "you";
    }
}
