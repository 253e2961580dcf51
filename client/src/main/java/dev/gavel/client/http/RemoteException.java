package dev.gavel.client.http;

import java.util.List;

/** A gateway did not do what it was asked to. */
public abstract sealed class RemoteException extends Exception {
    private static final long serialVersionUID = 1L;

    private RemoteException(String message) {
        super(message);
    }

    /** It answered, and the answer is no. */
    public static final class Refused extends RemoteException {
        private static final long serialVersionUID = 1L;

        private final transient List<Problem> problems;

        Refused(List<Problem> problems) {
            super(problems.getFirst().detail());
            this.problems = List.copyOf(problems);
        }

        /** The first reason. */
        public Problem problem() {
            return problems.getFirst();
        }

        /** Every reason: one for each proposal where it was about several. */
        public List<Problem> problems() {
            return problems;
        }
    }

    /** It gave no answer, or none that a gateway gives: it is worth trying again. */
    public static final class Unreachable extends RemoteException {
        private static final long serialVersionUID = 1L;

        private final boolean sent;

        Unreachable(String message, boolean sent) {
            super(message);
            this.sent = sent;
        }

        /** Whether what was asked may have arrived all the same. */
        public boolean sent() {
            return sent;
        }
    }
}
