package dev.gavel.web.registry;

import dev.gavel.web.identity.TokenHash;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A token as the identity registry stores it, without its secret: id, hash, creation, expiry and revocation. Immutable.
 *
 * @param id the token's id; {@link #CONFIGURED} for the token in the configuration
 * @param created which admin created it, and when; empty for the token in the configuration
 * @param expiresAt when it expires; empty if it does not
 * @param revoked which admin revoked it, and when; empty if it is not revoked
 */
public record RegistryToken(
        String id,
        TokenHash hash,
        Optional<ChangeAttribution> created,
        Optional<Instant> expiresAt,
        Optional<ChangeAttribution> revoked) {
    public static final String CONFIGURED = "configured";

    /** The state of a token. */
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
