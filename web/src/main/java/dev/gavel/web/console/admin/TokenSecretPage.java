package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The page that shows the secret of a new token, once.
 *
 * @param name the identity that owns the token
 * @param displayName the name by which texts call the identity
 * @param id the id by which admins refer to the token from now on
 * @param newIdentity whether the identity was created with this token
 * @param self whether the identity is the reader's own
 * @param topics the topics of which the identity is a member
 * @param url the gateway's address, for the person who receives the token
 */
public record TokenSecretPage(
        PageLayoutData frame,
        String name,
        String displayName,
        String id,
        String secret,
        Optional<Instant> expiresAt,
        boolean newIdentity,
        boolean self,
        List<String> topics,
        String url) {
    public TokenSecretPage {
        topics = List.copyOf(topics);
    }

    /** Omits the secret, because the text may be written to a log. */
    @Override
    public String toString() {
        return "SecretPage[" + name + ", " + id + "]";
    }
}
