package dev.gavel.console.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A token, of which nobody knows the secret.
 *
 * @param condition how it stands
 * @param active whether it is good
 * @param made by whom and when; nothing where the configuration names it
 * @param current whether the reader is signed in with it
 */
public record TokenLine(
        String id,
        Condition condition,
        boolean active,
        Optional<Deed> made,
        Optional<Instant> expiresAt,
        Optional<Deed> revoked,
        boolean current) {
    /** Who did something, and when. */
    public record Deed(String by, Instant at) {}
}
