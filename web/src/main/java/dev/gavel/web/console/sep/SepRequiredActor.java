package dev.gavel.web.console.sep;

import java.time.Instant;

/**
 * A person or role that must act on a SEP, and since when.
 *
 * @param who a person, or anybody of a role
 * @param role the role a person acts in; empty where it is anybody of a role
 * @param you whether the reader is meant
 * @param nextStep what they are told to do; empty where that is not known
 */
public record SepRequiredActor(String who, String role, boolean you, Instant since, String nextStep) {
    /** Who it is, in a few words for the reader. */
    public String text() {
        if (!you) {
            return who;
        }
        return role.isEmpty() ? "you, as " + who : "you";
    }
}
