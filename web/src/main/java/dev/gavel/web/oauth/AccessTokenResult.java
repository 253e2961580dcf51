package dev.gavel.web.oauth;

import dev.gavel.web.identity.AuthenticationResult.Authenticated;

/** The result of authenticating a request by the access token of an issuer. The texts are safe to show to the client. */
public sealed interface AccessTokenResult {
    /** The token is valid, and names an identity that can use it. */
    record Accepted(Authenticated caller) implements AccessTokenResult {}

    /** The token is not valid; another one may be. */
    record InvalidToken(String reason) implements AccessTokenResult {}

    /** The token is valid, but it names no identity that can use it. Another token of this client would not help. */
    record IdentityRefused(String reason) implements AccessTokenResult {}

    /** The token cannot be checked now, because the keys of its issuer cannot be fetched. */
    record Unavailable(String reason) implements AccessTokenResult {}
}
