package dev.gavel.client;

import dev.gavel.client.connection.PermanentCloseReason;
import dev.gavel.client.http.RemoteProblem;

/**
 * Thrown when the gateway refuses a request, cannot be reached, or ends the participant's connection; each subclass
 * names the cause. The message never contains a token.
 */
public abstract sealed class GavelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private GavelException(String message) {
        super(message);
    }

    static GavelException of(PermanentCloseReason reason, String location) {
        String message = location + ": " + reason.message();
        return switch (reason) {
            case CLOSED -> new Closed(message);
            case REPLACED -> new Replaced(message);
            case EXPELLED -> new Expelled(message);
            case UNAUTHENTICATED -> new Unauthenticated(message);
            case NOT_A_MEMBER -> new NotAMember(message);
            case NO_SUCH_TOPIC -> new NoSuchTopic(message);
        };
    }

    /** No gateway answers at the address now; a later retry may succeed. */
    public static final class Unreachable extends GavelException {
        private static final long serialVersionUID = 1L;

        Unreachable(String message) {
            super(message);
        }
    }

    /** The gateway does not know the token. */
    public static final class Unauthenticated extends GavelException {
        private static final long serialVersionUID = 1L;

        Unauthenticated(String message) {
            super(message);
        }
    }

    /** The token's identity is not a member of the topic. */
    public static final class NotAMember extends GavelException {
        private static final long serialVersionUID = 1L;

        NotAMember(String message) {
            super(message);
        }
    }

    /** The gateway has no such topic. */
    public static final class NoSuchTopic extends GavelException {
        private static final long serialVersionUID = 1L;

        NoSuchTopic(String message) {
            super(message);
        }
    }

    /**
     * Another connection of the same identity replaced this one. The client does not reconnect, or the two would
     * replace each other forever.
     */
    public static final class Replaced extends GavelException {
        private static final long serialVersionUID = 1L;

        Replaced(String message) {
            super(message);
        }
    }

    /** The token was revoked or has expired, or the identity was removed from the topic. */
    public static final class Expelled extends GavelException {
        private static final long serialVersionUID = 1L;

        Expelled(String message) {
            super(message);
        }
    }

    /** This program closed the participant. */
    public static final class Closed extends GavelException {
        private static final long serialVersionUID = 1L;

        Closed(String message) {
            super(message);
        }
    }

    /** The gateway answered with a refusal. */
    public static final class Refused extends GavelException {
        private static final long serialVersionUID = 1L;

        private final transient RemoteProblem problem;

        Refused(RemoteProblem problem) {
            super(problem.code() + ": " + problem.detail());
            this.problem = problem;
        }

        /** Returns the reason for the refusal; its {@code code} is stable. */
        public RemoteProblem problem() {
            return problem;
        }
    }

    /** The thread was interrupted while it waited; its interrupt flag is still set. */
    public static final class Interrupted extends GavelException {
        private static final long serialVersionUID = 1L;

        Interrupted(String message) {
            super(message);
        }
    }
}
