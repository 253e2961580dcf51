package dev.gavel.client.http;

import java.util.List;

/** Thrown when an HTTP request to a gateway is refused or gets no valid answer. */
public abstract sealed class RemoteGatewayException extends Exception {
    private static final long serialVersionUID = 1L;

    private RemoteGatewayException(String message) {
        super(message);
    }

    /** It answered, and the answer is no. */
    public static final class Refused extends RemoteGatewayException {
        private static final long serialVersionUID = 1L;

        private final transient List<RemoteProblem> problems;

        Refused(List<RemoteProblem> problems) {
            super(problems.getFirst().detail());
            this.problems = List.copyOf(problems);
        }

        /** The first reason. */
        public RemoteProblem problem() {
            return problems.getFirst();
        }

        /** Every reason: one for each proposal where it was about several. */
        public List<RemoteProblem> problems() {
            return problems;
        }
    }

    /** It gave no answer, or none that a gateway gives: it is worth trying again. */
    public static final class Unreachable extends RemoteGatewayException {
        private static final long serialVersionUID = 1L;

        private final boolean maybeSent;

        Unreachable(String message, boolean sent) {
            super(message);
            this.maybeSent = sent;
        }

        /** Whether what was asked may have arrived all the same. */
        public boolean maybeSent() {
            return maybeSent;
        }
    }
}
