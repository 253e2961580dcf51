package dev.gavel.web.identity;

import dev.gavel.gateway.member.RevocableAccessGrant;

/** The result of authenticating a request: the identity with its revocable credential, or the reason why not. */
public sealed interface AuthenticationResult {
    /**
     * The credential is good, and this is who it belongs to.
     *
     * @param revocableAccessGrant holds for as long as the credential is good
     */
    record Authenticated(Identity identity, RevocableAccessGrant revocableAccessGrant)
            implements AuthenticationResult {}

    /** It is not; the reason is fit to be shown to whoever sent it. */
    record Unauthenticated(String reason) implements AuthenticationResult {}
}
