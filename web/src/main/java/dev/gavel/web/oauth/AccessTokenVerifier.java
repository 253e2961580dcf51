package dev.gavel.web.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.gavel.web.oauth.VerificationResult.Invalid;
import dev.gavel.web.oauth.VerificationResult.Verified;
import java.security.Key;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Verifies the access tokens of one issuer: type, algorithm, signature and times. Calls can block while the keys of the
 * issuer are fetched. Thread-safe.
 */
final class AccessTokenVerifier {
    /** How much the clocks of the issuer and of this machine can differ. */
    static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(60);

    /** Algorithms with a public key. With the others, the issuer and this server would share a secret. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    /** The types of access tokens (RFC 9068). Other types, such as that of logout tokens, have other purposes. */
    private static final Set<String> TYPES = Set.of("at+jwt", "application/at+jwt", "jwt");

    private final TrustedIssuer issuer;
    private final IssuerKeys keys;
    private final InstantSource clock;

    AccessTokenVerifier(TrustedIssuer issuer, IssuerKeys keys, InstantSource clock) {
        this.issuer = issuer;
        this.keys = keys;
        this.clock = clock;
    }

    /** Verifies a token that names this issuer. */
    VerificationResult verify(SignedJWT token) throws IssuerUnavailableException {
        JWSHeader header = token.getHeader();
        if (!ALGORITHMS.contains(header.getAlgorithm())) {
            return new Invalid("the signature algorithm of the token is not accepted; use RS256, PS256, ES256 or one of"
                    + " their longer variants");
        }
        // RFC 7519 does not require a type, and some issuers send none.
        if (header.getType() != null
                && !TYPES.contains(header.getType().getType().toLowerCase(Locale.ROOT))) {
            return new Invalid("the type of the token is not at+jwt or JWT");
        }
        try {
            IssuerKeys.FetchedKeys known = keys.current();
            List<Key> candidates = select(header, known.keys());
            if (candidates.isEmpty()) {
                candidates = select(header, keys.newerThan(known).keys());
            }
            if (candidates.isEmpty()) {
                return new Invalid("the token is signed with a key that its issuer does not publish");
            }
            return isSignedWithOneOf(candidates, token)
                    ? checkClaims(token.getJWTClaimsSet())
                    : new Invalid("the signature of the token is not valid");
        } catch (ParseException | KeySourceException e) {
            return new Invalid("the token is not a valid JWT");
        }
    }

    private static List<Key> select(JWSHeader header, JWKSet keySet) throws KeySourceException {
        return new JWSVerificationKeySelector<SecurityContext>(ALGORITHMS, new ImmutableJWKSet<>(keySet))
                .selectJWSKeys(header, null);
    }

    private static boolean isSignedWithOneOf(List<Key> candidates, SignedJWT token) {
        for (Key key : candidates) {
            try {
                if (token.verify(new DefaultJWSVerifierFactory().createJWSVerifier(token.getHeader(), key))) {
                    return true;
                }
            } catch (JOSEException e) {
                // The key does not fit the algorithm; the next one may.
            }
        }
        return false;
    }

    private VerificationResult checkClaims(JWTClaimsSet claims) {
        Instant now = clock.instant();
        if (!issuer.url().equals(claims.getIssuer())) {
            return new Invalid("the token is of another issuer");
        }
        if (claims.getExpirationTime() == null) {
            return new Invalid("the token has no expiry time (claim 'exp')");
        }
        Instant expiresAt = claims.getExpirationTime().toInstant().plus(CLOCK_TOLERANCE);
        if (!now.isBefore(expiresAt)) {
            return new Invalid("the token has expired");
        }
        if (claims.getNotBeforeTime() != null
                && claims.getNotBeforeTime().toInstant().minus(CLOCK_TOLERANCE).isAfter(now)) {
            return new Invalid("the token is not valid yet");
        }
        if (claims.getClaim("cnf") != null) {
            // The issuer wants that a stolen token is useless without the key (RFC 9449, RFC 8705).
            return new Invalid("the token is bound to a key of its client (claim 'cnf'), which Gavel does not support;"
                    + " request a bearer token");
        }
        return claims.getClaim(issuer.identityClaim()) instanceof String identity && !identity.isBlank()
                ? new Verified(issuer, List.copyOf(claims.getAudience()), identity, expiresAt)
                : new Invalid("the claim '" + issuer.identityClaim()
                        + "', which names the identity, is missing or is not a string");
    }
}
