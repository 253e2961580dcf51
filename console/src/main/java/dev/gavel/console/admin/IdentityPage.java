package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.util.List;
import java.util.Optional;

/**
 * The page of somebody.
 *
 * @param self whether it is the reader's own
 * @param known the roles there are
 * @param places where they are a member
 * @param tokens the newest first
 * @param topics all there are
 * @param form what was written for a new token
 * @param done what was just done
 * @param complaint why what was just wanted was not
 */
public record IdentityPage(
        Frame frame,
        IdentityLine who,
        boolean self,
        List<String> known,
        List<Place> places,
        List<TokenLine> tokens,
        List<String> topics,
        TokenForm form,
        Optional<String> done,
        Optional<String> complaint) {
    public IdentityPage {
        known = List.copyOf(known);
        places = List.copyOf(places);
        tokens = List.copyOf(tokens);
        topics = List.copyOf(topics);
    }

    /**
     * What somebody may send in a topic.
     *
     * @param capabilities one on a line; empty for nothing
     */
    public record Place(String topic, String capabilities) {}

    /** Whether there is a token to revoke. */
    public boolean anyActive() {
        return who.tokens().active() > 0;
    }
}
