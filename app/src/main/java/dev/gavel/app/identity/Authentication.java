package dev.gavel.app.identity;

/** What came of asking who somebody is. */
public sealed interface Authentication {
    /** The credential is good, and this is who it belongs to. */
    record Authenticated(Identity identity) implements Authentication {}

    /** It is not; the reason is fit to be shown to whoever sent it. */
    record Unauthenticated(String reason) implements Authentication {}
}
