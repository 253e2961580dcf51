package dev.gavel.web.registry;

import java.util.List;

/** The result of deciding a registry command: the changes to record, or a refusal with its reason. */
public sealed interface RegistryDecisionResult {
    /** This is to be changed; nothing where it is as it was wanted. */
    record Changed(List<RegistryChange> changes) implements RegistryDecisionResult {
        public Changed {
            changes = List.copyOf(changes);
        }
    }

    /** Nothing is, and this is why. */
    record Refused(Reason reason, String detail) implements RegistryDecisionResult {}

    /** Why nothing is changed. */
    enum Reason {
        /** Whoever wants it came with a token that is no longer good. */
        UNAUTHENTICATED,
        NOT_ADMIN,
        UNKNOWN_IDENTITY,
        UNKNOWN_TOKEN,
        ALREADY_REVOKED,
        LAST_ADMIN,
        NO_SUCH_TOPIC,
        NOT_A_MEMBER,
        /** What a new member may send was left out. */
        BAD_CAPABILITY,
        TOO_MANY,
        /** It is the name of a bridge of this process, which comes with no token. */
        BRIDGED
    }
}
