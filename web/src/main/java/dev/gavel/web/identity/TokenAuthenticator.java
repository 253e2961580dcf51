package dev.gavel.web.identity;

import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.AuthenticationResult.Unauthenticated;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Authenticates requests by bearer token; the valid tokens can be replaced while the server runs. Thread-safe. */
public final class TokenAuthenticator {
    private static final String BEARER = "Bearer ";

    private static final Unauthenticated UNKNOWN = new Unauthenticated("the token is unknown, expired or revoked");

    /** A shorter token is a word, not a secret. It is refused even if its hash is configured. */
    public static final int MIN_TOKEN_LENGTH = 16;

    /** Longer than any token that Gavel creates; a longer value is not worth hashing. */
    private static final int MAX_TOKEN_LENGTH = 512;

    private final InstantSource clock;
    private volatile Map<TokenHash, TokenEntry> entriesByHash = Map.of();

    /**
     * What a token grants.
     *
     * @param identity the identity that the token authenticates
     * @param expiresAt when the token expires; {@link Instant#MAX} if it does not expire
     */
    public record TokenGrant(Identity identity, Instant expiresAt) {}

    private record TokenEntry(TokenGrant grant, RevocableAccessGrant revocableAccessGrant) {}

    /** Creates an authenticator without valid tokens. */
    public TokenAuthenticator(InstantSource clock) {
        this.clock = clock;
    }

    /** Replaces the valid tokens. Connections opened with a token that is no longer valid are closed. */
    public synchronized void replaceGrants(Map<TokenHash, TokenGrant> grants) {
        Map<TokenHash, TokenEntry> previous = entriesByHash;
        Map<TokenHash, TokenEntry> current = new HashMap<>();
        grants.forEach((token, grant) -> {
            TokenEntry existing = previous.get(token);
            current.put(
                    token,
                    new TokenEntry(
                            grant,
                            existing == null
                                    ? new RevocableAccessGrant(token.hex())
                                    : existing.revocableAccessGrant()));
        });
        entriesByHash = current;
        previous.forEach((token, tokenEntry) -> {
            if (!current.containsKey(token)) {
                tokenEntry.revocableAccessGrant().revoke();
            }
        });
    }

    /**
     * Authenticates an {@code Authorization} header. The token is looked up by its hash, so the time that this takes
     * reveals nothing about any token.
     */
    public AuthenticationResult authenticate(@Nullable String authorization) {
        if (authorization == null || authorization.isBlank()) {
            return new Unauthenticated("no token: send the header 'Authorization: Bearer TOKEN'");
        }
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return new Unauthenticated("the Authorization header must have the form 'Bearer TOKEN'");
        }
        String token = authorization.substring(BEARER.length()).strip();
        boolean plausible = token.length() >= MIN_TOKEN_LENGTH && token.length() <= MAX_TOKEN_LENGTH;
        return plausible ? authenticateHash(TokenHash.of(token)) : UNKNOWN;
    }

    /** Authenticates a token that was presented earlier, by its hash. */
    public AuthenticationResult authenticateHash(TokenHash token) {
        TokenEntry tokenEntry = entriesByHash.get(token);
        return tokenEntry == null
                        || !clock.instant().isBefore(tokenEntry.grant().expiresAt())
                ? UNKNOWN
                : new Authenticated(tokenEntry.grant().identity(), tokenEntry.revocableAccessGrant());
    }
}
