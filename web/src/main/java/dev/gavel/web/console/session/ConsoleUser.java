package dev.gavel.web.console.session;

import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.identity.Identity;
import java.util.Optional;

/**
 * The signed-in user of a console request, with identity, access grant and session.
 *
 * @param accessGrant valid for as long as the token with which the user signed in
 * @param terms how pages name specification proposals
 */
public record ConsoleUser(
        Identity identity,
        RevocableAccessGrant accessGrant,
        SessionCookies.ConsoleSession session,
        SessionCookies sessionCookies,
        ProposalTerms terms) {
    /** Whether the user is still signed in: the user has not signed out, and the token is still valid. */
    public boolean isSignedIn() {
        return accessGrant.isValid() && sessionCookies.isActive(session);
    }

    public String id() {
        return identity.id();
    }

    public boolean isAdmin() {
        return identity.roles().contains(Identity.ADMIN);
    }

    /** The CSRF token of the user's forms. */
    public String csrf() {
        return session.csrf();
    }

    public PageLayoutData frame(String title, PageLayoutData.Section section) {
        return new PageLayoutData(
                title,
                section,
                Optional.of(new PageLayoutData.User(identity.name(), isAdmin(), csrf())),
                Optional.empty(),
                terms);
    }
}
