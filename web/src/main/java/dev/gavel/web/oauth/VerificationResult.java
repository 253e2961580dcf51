package dev.gavel.web.oauth;

import java.time.Instant;
import java.util.List;

/** The result of verifying an access token: what it contains, or why it is not valid. */
sealed interface VerificationResult {
    /**
     * The signature and the times are valid. The audience is not checked yet, because it can depend on the request.
     *
     * @param issuer the configured issuer of the token
     * @param identity the content of the claim that names the identity
     * @param expiresAt when the token is no longer accepted, with the tolerance for clocks
     */
    record Verified(TrustedIssuer issuer, List<String> audience, String identity, Instant expiresAt)
            implements VerificationResult {}

    /** The token is not valid; the reason is safe to show to the client. */
    record Invalid(String reason) implements VerificationResult {}
}
