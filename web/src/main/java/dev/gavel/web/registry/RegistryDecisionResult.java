package dev.gavel.web.registry;

import java.util.List;

/** The decision on an admin's command to the identity registry: the changes to record, or a refusal with its reason. */
public sealed interface RegistryDecisionResult {
    /** The changes to record; none if the registry is already as requested. */
    record Changed(List<RegistryChange> changes) implements RegistryDecisionResult {
        public Changed {
            changes = List.copyOf(changes);
        }
    }

    /** The command is refused. */
    record Refused(Reason reason, String detail) implements RegistryDecisionResult {}

    /** Why a command is refused. */
    enum Reason {
        /** The admin's token is no longer valid. */
        UNAUTHENTICATED,
        NOT_ADMIN,
        UNKNOWN_IDENTITY,
        UNKNOWN_TOKEN,
        ALREADY_REVOKED,
        LAST_ADMIN,
        NO_SUCH_TOPIC,
        NOT_A_MEMBER,
        /** The capabilities of a new member are missing. */
        BAD_CAPABILITY,
        TOO_MANY,
        /** Another identity has this name in other case, or has it as its handle. */
        NAME_TAKEN,
        /** The name belongs to a bridge of this process, which uses no token. */
        BRIDGED
    }
}
