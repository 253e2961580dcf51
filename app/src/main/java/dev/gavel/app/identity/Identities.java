package dev.gavel.app.identity;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Authentication.Unauthenticated;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The identities there are, found by their token. Immutable. */
public final class Identities {
    private static final String BEARER = "Bearer ";

    /** Fewer characters than this are a word, not a secret: refused even where somebody configured its hash. */
    public static final int SHORTEST_TOKEN = 16;

    /** Longer than any token of ours; what is longer is not worth hashing. */
    private static final int LONGEST_TOKEN = 512;

    private final Map<TokenHash, Identity> byToken = new HashMap<>();

    public Identities(Collection<Identity> identities) {
        for (Identity identity : identities) {
            identity.token().ifPresent(token -> byToken.put(token, identity));
        }
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
        Identity identity = plausible ? byToken.get(TokenHash.of(token)) : null;
        return identity == null
                ? new Unauthenticated("the token is unknown, expired or revoked")
                : new Authenticated(identity);
    }
}
