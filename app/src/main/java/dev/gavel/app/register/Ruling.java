package dev.gavel.app.register;

import java.util.List;

/** What comes of a command. */
public sealed interface Ruling {
    /** This is to be changed; nothing where it is as it was wanted. */
    record Changed(List<Change> changes) implements Ruling {
        public Changed {
            changes = List.copyOf(changes);
        }
    }

    /** Nothing is, and this is why. */
    record Refused(Why why, String detail) implements Ruling {}

    /** Why nothing is changed. */
    enum Why {
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
