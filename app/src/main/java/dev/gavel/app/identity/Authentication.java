package dev.gavel.app.identity;

import dev.gavel.gateway.Warrant;

/** What came of asking who somebody is. */
public sealed interface Authentication {
    /**
     * The credential is good, and this is who it belongs to.
     *
     * @param warrant holds for as long as the credential is good
     */
    record Authenticated(Identity identity, Warrant warrant) implements Authentication {}

    /** It is not; the reason is fit to be shown to whoever sent it. */
    record Unauthenticated(String reason) implements Authentication {}
}
