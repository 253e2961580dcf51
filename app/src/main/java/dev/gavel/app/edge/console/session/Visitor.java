package dev.gavel.app.edge.console.session;

import dev.gavel.app.identity.Identity;
import dev.gavel.console.Frame;
import dev.gavel.gateway.Warrant;
import java.util.Optional;

/**
 * Somebody who is signed in.
 *
 * @param warrant holds for as long as what they signed in with is good
 */
public record Visitor(Identity identity, Warrant warrant, Sessions.Session session, Sessions sessions) {
    /** Whether they still are: they have not signed out since, and what they signed in with is good. */
    public boolean signedIn() {
        return warrant.holds() && sessions.lasts(session);
    }

    public String id() {
        return identity.id();
    }

    public boolean admin() {
        return identity.roles().contains(Identity.ADMIN);
    }

    /** What their forms carry. */
    public String csrf() {
        return session.csrf();
    }

    public Frame frame(String title, Frame.Place place) {
        return new Frame(
                title, place, Optional.of(new Frame.Reader(identity.name(), admin(), csrf())), Optional.empty());
    }
}
