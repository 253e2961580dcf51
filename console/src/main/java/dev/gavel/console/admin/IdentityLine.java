package dev.gavel.console.admin;

import java.util.ArrayList;
import java.util.List;

/**
 * Somebody, in a list.
 *
 * @param name how people call them; the id where nobody said otherwise
 * @param topics where they are a member
 * @param configured whether the configuration names them, or they were made while the server ran
 * @param own whether this server runs them itself, so that they need no token
 */
public record IdentityLine(
        String id,
        String name,
        List<String> roles,
        List<String> topics,
        Tokens tokens,
        boolean configured,
        boolean own) {
    public IdentityLine {
        roles = List.copyOf(roles);
        topics = List.copyOf(topics);
    }

    /** How many tokens stand how. */
    public record Tokens(int active, int expired, int revoked) {
        /** In words: {@code 2 valid, 1 revoked}. */
        public String words() {
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
        return Paths.identity(id);
    }

    /** Whether people call them something else than messages do. */
    public boolean named() {
        return !name.equals(id);
    }
}
