package dev.gavel.web.identity;

import dev.gavel.gateway.member.RevocableAccessGrant;

/**
 * The result of authenticating a request: the identity with its revocable credential, or the reason for the failure.
 */
public sealed interface AuthenticationResult {
    /**
     * The credential is valid.
     *
     * @param identity the identity that the credential belongs to
     * @param revocableAccessGrant is valid as long as the credential
     */
    record Authenticated(Identity identity, RevocableAccessGrant revocableAccessGrant)
            implements AuthenticationResult {}

    /** The credential is missing or invalid; the reason is safe to show to the client. */
    record Unauthenticated(String reason) implements AuthenticationResult {}
}
