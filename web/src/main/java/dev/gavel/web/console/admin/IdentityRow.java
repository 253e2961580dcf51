package dev.gavel.web.console.admin;

import java.util.ArrayList;
import java.util.List;

/**
 * An identity in the list on the admin pages, with its roles, topics and token counts.
 *
 * @param name how people call them; the id where nobody said otherwise
 * @param topics where they are a member
 * @param configured whether the configuration names them, or they were made while the server ran
 * @param internal whether this server runs them itself, so that they need no token
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

    /** How many tokens stand how. */
    public record TokenCounts(int active, int expired, int revoked) {
        /** In words: {@code 2 valid, 1 revoked}. */
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

    public String path() {
        return AdminPaths.identity(id);
    }

    /** Whether people call them something else than messages do. */
    public boolean hasDisplayName() {
        return !name.equals(id);
    }
}
