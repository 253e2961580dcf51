package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;
import java.util.Optional;

/**
 * The page of one identity with its tokens, roles and memberships.
 *
 * @param self whether it is the reader's own
 * @param knownRoles the roles there are
 * @param memberships where they are a member
 * @param tokens the newest first
 * @param topics all there are
 * @param form what was written for a new token
 * @param done what was just done
 * @param complaint why what was just wanted was not
 */
public record IdentityPage(
        PageFrame frame,
        IdentityRow identity,
        boolean self,
        List<String> knownRoles,
        List<Membership> memberships,
        List<TokenRow> tokens,
        List<String> topics,
        TokenForm form,
        Optional<String> done,
        Optional<String> complaint) {
    public IdentityPage {
        knownRoles = List.copyOf(knownRoles);
        memberships = List.copyOf(memberships);
        tokens = List.copyOf(tokens);
        topics = List.copyOf(topics);
    }

    /**
     * What somebody may send in a topic.
     *
     * @param capabilities one on a line; empty for nothing
     */
    public record Membership(String topic, String capabilities) {}

    /** Whether there is a token to revoke. */
    public boolean anyActive() {
        return identity.tokenCounts().active() > 0;
    }
}
