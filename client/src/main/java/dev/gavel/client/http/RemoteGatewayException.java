package dev.gavel.client.http;

import java.util.List;

/** Thrown when an HTTP request to a gateway is refused or gets no valid answer. */
public abstract sealed class RemoteGatewayException extends Exception {
    private static final long serialVersionUID = 1L;

    private RemoteGatewayException(String message) {
        super(message);
    }

    /** The gateway answered with a refusal. */
    public static final class Refused extends RemoteGatewayException {
        private static final long serialVersionUID = 1L;

        private final transient List<RemoteProblem> problems;

        Refused(List<RemoteProblem> problems) {
            super(problems.getFirst().detail());
            this.problems = List.copyOf(problems);
        }

        /** Returns the first reason. */
        public RemoteProblem problem() {
            return problems.getFirst();
        }

        /** Returns all reasons: one for each proposal, if the request was about several. */
        public List<RemoteProblem> problems() {
            return problems;
        }
    }

    /** No valid response arrived from a gateway; a retry may succeed. */
    public static final class Unreachable extends RemoteGatewayException {
        private static final long serialVersionUID = 1L;

        private final boolean maybeSent;

        Unreachable(String message, boolean mayHaveArrived) {
            super(message);
            this.maybeSent = mayHaveArrived;
        }

        /** Whether the request may have arrived nevertheless. */
        public boolean maybeSent() {
            return maybeSent;
        }
    }
}
