package dev.gavel.web.registry;

import dev.gavel.web.identity.TokenHash;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A token as the registry knows it: id, hash, creation, expiry and revocation. Immutable.
 *
 * @param id what it is called; {@link #CONFIGURED} for the one that the configuration names
 * @param created by whom and when; nothing where the configuration names it
 * @param expiresAt until when it is good, where it ends by itself
 * @param revoked by whom and when, if it was
 */
public record RegistryToken(
        String id,
        TokenHash hash,
        Optional<ChangeAttribution> created,
        Optional<Instant> expiresAt,
        Optional<ChangeAttribution> revoked) {
    public static final String CONFIGURED = "configured";

    /** How a token stands. */
    public enum State {
        ACTIVE,
        EXPIRED,
        REVOKED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public State state(Instant now) {
        if (revoked.isPresent()) {
            return State.REVOKED;
        }
        return expiresAt.filter(end -> !now.isBefore(end)).isPresent() ? State.EXPIRED : State.ACTIVE;
    }

    boolean isActive(Instant now) {
        return state(now) == State.ACTIVE;
    }

    RegistryToken revoked(ChangeAttribution changeAttribution) {
        return new RegistryToken(id, hash, created, expiresAt, Optional.of(changeAttribution));
    }
}
