package dev.gavel.console.sep;

import java.time.Instant;

/**
 * Somebody who must act.
 *
 * @param who a person, or anybody of a role
 * @param as the role a person acts in; empty where it is anybody of a role
 * @param you whether the reader is meant
 * @param step what they are told to do; empty where that is not known
 */
public record Holder(String who, String as, boolean you, Instant since, String step) {
    /** Who it is, in a few words for the reader. */
    public String words() {
        if (!you) {
            return who;
        }
        return as.isEmpty() ? "you, as " + who : "you";
    }
}
