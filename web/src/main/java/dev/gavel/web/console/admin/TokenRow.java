package dev.gavel.web.console.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A token in an identity's list, without its secret.
 *
 * @param status how it stands
 * @param active whether it is good
 * @param created by whom and when; nothing where the configuration names it
 * @param current whether the reader is signed in with it
 */
public record TokenRow(
        String id,
        StatusBadge status,
        boolean active,
        Optional<ActionStamp> created,
        Optional<Instant> expiresAt,
        Optional<ActionStamp> revoked,
        boolean current) {
    /** Who did something, and when. */
    public record ActionStamp(String by, Instant at) {}
}
