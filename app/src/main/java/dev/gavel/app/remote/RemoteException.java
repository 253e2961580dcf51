package dev.gavel.app.remote;

/** A gateway did not do what it was asked to. */
public abstract sealed class RemoteException extends Exception {
    private static final long serialVersionUID = 1L;

    private RemoteException(String message) {
        super(message);
    }

    /** It answered, and the answer is no. */
    public static final class Refused extends RemoteException {
        private static final long serialVersionUID = 1L;

        private final transient Problem problem;

        Refused(Problem problem) {
            super(problem.detail());
            this.problem = problem;
        }

        public Problem problem() {
            return problem;
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
