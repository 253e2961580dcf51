package dev.gavel.app.cli;

import dev.gavel.client.http.Problem;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import java.time.Duration;

/** Asks again where the server says that it was asked too fast. Stateless. */
public final class Patience {
    private static final int TOO_FAST = 429;

    /** After so many refusals somebody should be told. */
    private static final int TRIES = 20;

    private Patience() {}

    /** What is asked. */
    @FunctionalInterface
    public interface Question<T> {
        /** Asks. */
        T ask() throws RemoteException, InterruptedException;
    }

    /** The answer, once there is one that is not "too fast". */
    public static <T> T answer(Question<T> question) throws RemoteException, InterruptedException {
        for (int asked = 1; asked < TRIES; asked++) {
            try {
                return question.ask();
            } catch (Refused e) {
                Thread.sleep(pause(e));
            }
        }
        return question.ask();
    }

    /** How long to wait before asking again; a refusal that waiting does not help is thrown on. */
    static Duration pause(Refused e) throws Refused {
        Problem problem = e.problem();
        if (problem.status() != TOO_FAST) {
            throw e;
        }
        return Duration.ofMillis(Math.clamp(problem.retryAfterMillis(), 100, 10_000));
    }
}
