package dev.gavel.web.console.admin;

import java.util.ArrayList;
import java.util.List;

/**
 * An identity in the list on the admin pages, with its roles, topics and token counts.
 *
 * @param name the display name; the id if no display name is configured
 * @param topics the topics of which the identity is a member
 * @param configured whether the configuration names the identity; otherwise an admin created it while the server ran
 * @param internal whether this server itself runs the participant, so that it needs no token
 */
public record IdentityRow(
        String id,
        String name,
        List<String> roles,
        List<String> topics,
        TokenCounts tokenCounts,
        boolean configured,
        boolean internal) {
    public IdentityRow {
        roles = List.copyOf(roles);
        topics = List.copyOf(topics);
    }

    /** The number of tokens in each state. */
    public record TokenCounts(int active, int expired, int revoked) {
        /** The counts as text: {@code 2 valid, 1 revoked}. */
        public String summary() {
            List<String> parts = new ArrayList<>();
            if (active > 0) {
                parts.add(active + " valid");
            }
            if (expired > 0) {
                parts.add(expired + " expired");
            }
            if (revoked > 0) {
                parts.add(revoked + " revoked");
            }
            return parts.isEmpty() ? "none" : String.join(", ", parts);
        }
    }

    public IdentityLabel label() {
        return new IdentityLabel(id, name);
    }
}
