package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The page that shows the secret of a new token, once.
 *
 * @param name whose it is
 * @param id what it is called from now on
 * @param newIdentity whether its owner was made with it
 * @param self whether that is the reader
 * @param topics where its owner is a member
 * @param url where the gateway is, for whoever gets the token
 */
public record TokenSecretPage(
        PageFrame frame,
        String name,
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

    /** Not with the secret in it: what is printed may end up in a log. */
    @Override
    public String toString() {
        return "SecretPage[" + name + ", " + id + "]";
    }
}
