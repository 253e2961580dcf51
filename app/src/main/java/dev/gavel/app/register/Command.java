package dev.gavel.app.register;

import dev.gavel.app.identity.TokenHash;
import dev.gavel.mcpx.Capabilities;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Something an admin wants changed. */
public sealed interface Command {
    /** Whom it is about. */
    String name();

    /**
     * One more token for somebody, who need not have been there before.
     *
     * @param id what the token is to be called
     * @param topic where they are to be a member
     * @param capabilities what they may send there; nothing where they are a member and that is to stay
     * @param roles their roles from now on; nothing where they are to stay, or, where they have no token that is good,
     *     to be what the configuration says
     */
    record CreateToken(
            String name,
            String id,
            TokenHash hash,
            Optional<Duration> lifetime,
            Optional<String> topic,
            Optional<Capabilities> capabilities,
            Optional<Set<String>> roles)
            implements Command {}

    /** No token of theirs is to be good any more, or one is not. */
    record RevokeTokens(String name, Optional<String> id) implements Command {}

    /** These are to be their roles. */
    record SetRoles(String name, Set<String> roles) implements Command {
        public SetRoles {
            roles = Set.copyOf(roles);
        }
    }

    /** They are to be a member of a topic, who may send this. */
    record SetMember(String topic, String name, Capabilities capabilities) implements Command {}

    /** They are to be no member of a topic. */
    record RemoveMember(String topic, String name) implements Command {}

    /** In a topic they are to be what the configuration says. */
    record ResetMember(String topic, String name) implements Command {}
}
