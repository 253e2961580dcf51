package dev.gavel.web.identity;

/** The result of looking up the identity that an access token of an issuer names. */
public sealed interface IdentityLookupResult {
    /** The identity exists, and an access token can authenticate it. */
    record Found(Identity identity) implements IdentityLookupResult {}

    /** No access token can authenticate this identity; the reason is safe to show to the client. */
    record Refused(String reason) implements IdentityLookupResult {}
}
