package dev.gavel.web.console.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * One row in the token list of an identity on the admin pages, without the token's secret.
 *
 * @param status the token's state as the page shows it
 * @param active whether the token is valid
 * @param created who created it and when; empty for a configured token
 * @param current whether the reader is signed in with this token
 */
public record TokenRow(
        String id,
        StatusBadge status,
        boolean active,
        Optional<ActionStamp> created,
        Optional<Instant> expiresAt,
        Optional<ActionStamp> revoked,
        boolean current) {
    /** Who made a change, and when. */
    public record ActionStamp(String by, Instant at) {}
}
