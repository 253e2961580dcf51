package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;
import java.util.Optional;

/**
 * The page of one identity with its tokens, roles and memberships.
 *
 * @param self whether the identity is the reader's own
 * @param knownRoles all roles that can be assigned
 * @param memberships the topics of which the identity is a member
 * @param tokens valid tokens first, then newest first
 * @param topics all topics
 * @param form the input for a new token
 * @param confirmation the confirmation of the last change
 * @param complaint why the last change was refused
 */
public record IdentityDetailPage(
        PageLayoutData frame,
        IdentityRow identity,
        boolean self,
        List<String> knownRoles,
        List<Membership> memberships,
        List<TokenRow> tokens,
        List<String> topics,
        TokenForm form,
        Optional<String> confirmation,
        Optional<String> complaint) {
    public IdentityDetailPage {
        knownRoles = List.copyOf(knownRoles);
        memberships = List.copyOf(memberships);
        tokens = List.copyOf(tokens);
        topics = List.copyOf(topics);
    }

    /**
     * A topic of which the identity is a member.
     *
     * @param capabilities what the identity may send there, one capability per line; empty for nothing
     */
    public record Membership(String topic, String capabilities) {}

    /** Whether there is a token to revoke. */
    public boolean anyActive() {
        return identity.tokenCounts().active() > 0;
    }
}
