package dev.gavel.app.identity;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Authentication.Unauthenticated;
import dev.gavel.gateway.Warrant;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The identities there are, found by their token; they change while the process runs. Thread-safe. */
public final class Identities {
    private static final String BEARER = "Bearer ";

    private static final Unauthenticated UNKNOWN = new Unauthenticated("the token is unknown, expired or revoked");

    /** Fewer characters than this are a word, not a secret: refused even where somebody configured its hash. */
    public static final int SHORTEST_TOKEN = 16;

    /** Longer than any token of ours; what is longer is not worth hashing. */
    private static final int LONGEST_TOKEN = 512;

    private final InstantSource clock;
    private volatile Map<TokenHash, Bearer> byToken = Map.of();

    /**
     * What a token is good for.
     *
     * @param identity whom it speaks for
     * @param expiresAt until when; {@link Instant#MAX} where it does not end by itself
     */
    public record Grant(Identity identity, Instant expiresAt) {}

    private record Bearer(Grant grant, Warrant warrant) {}

    /** Nobody, until somebody says who. */
    public Identities(InstantSource clock) {
        this.clock = clock;
    }

    /** From now on these tokens are good and no others: what is open on the strength of another ends. */
    public synchronized void become(Map<TokenHash, Grant> grants) {
        Map<TokenHash, Bearer> before = byToken;
        Map<TokenHash, Bearer> after = new HashMap<>();
        grants.forEach((token, grant) -> {
            Bearer known = before.get(token);
            after.put(token, new Bearer(grant, known == null ? new Warrant() : known.warrant()));
        });
        byToken = after;
        before.forEach((token, bearer) -> {
            if (!after.containsKey(token)) {
                bearer.warrant().end();
            }
        });
    }

    /**
     * Who an {@code Authorization} header speaks for. The token is looked up by its hash, so the time this takes tells
     * nothing about any token.
     */
    public Authentication authenticate(@Nullable String authorization) {
        if (authorization == null || authorization.isBlank()) {
            return new Unauthenticated("no token: send the header 'Authorization: Bearer TOKEN'");
        }
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return new Unauthenticated("the Authorization header must be of the form 'Bearer TOKEN'");
        }
        String token = authorization.substring(BEARER.length()).strip();
        boolean plausible = token.length() >= SHORTEST_TOKEN && token.length() <= LONGEST_TOKEN;
        return plausible ? recognise(TokenHash.of(token)) : UNKNOWN;
    }

    /** Who a token speaks for that was shown earlier. */
    public Authentication recognise(TokenHash token) {
        Bearer bearer = byToken.get(token);
        return bearer == null || !clock.instant().isBefore(bearer.grant().expiresAt())
                ? UNKNOWN
                : new Authenticated(bearer.grant().identity(), bearer.warrant());
    }
}
