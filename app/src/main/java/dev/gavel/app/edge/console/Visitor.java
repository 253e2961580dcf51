package dev.gavel.app.edge.console;

import dev.gavel.app.identity.Identity;
import dev.gavel.console.CardWriter;
import dev.gavel.console.Frame;
import dev.gavel.gateway.Warrant;
import java.util.Optional;

/**
 * Somebody who is signed in.
 *
 * @param warrant holds for as long as what they signed in with is good
 */
record Visitor(Identity identity, Warrant warrant, Sessions.Session session, Sessions sessions) {
    /** Whether they still are: they have not signed out since, and what they signed in with is good. */
    boolean signedIn() {
        return warrant.holds() && sessions.lasts(session);
    }

    String id() {
        return identity.id();
    }

    Frame frame(String title) {
        return new Frame(title, Optional.of(identity.name()), session.csrf());
    }

    /** Writes cards for them. */
    CardWriter cards(boolean whole) {
        return new CardWriter(id(), whole);
    }
}
