package dev.gavel.client;

import dev.gavel.client.http.RemoteException;
import dev.gavel.client.link.Backoff;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Asks a gateway until it has an answer: again after a while where it cannot be reached, cannot answer now, or was asked
 * too much. Stateless.
 */
final class Asking {
    private static final int TOO_FAST = 429;
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private Asking() {}

    /** Something to be asked. */
    @FunctionalInterface
    interface Question<T> {
        T ask() throws RemoteException, InterruptedException;
    }

    /**
     * The answer. Any other no than "later" is one too, and is thrown.
     *
     * @param over whether nobody wants to know any more; then what went wrong last is thrown
     */
    static <T> T until(Question<T> question, BooleanSupplier over) throws RemoteException, InterruptedException {
        Backoff backoff = new Backoff();
        while (true) {
            Duration wait;
            try {
                return question.ask();
            } catch (RemoteException.Refused e) {
                if (e.problem().status() != TOO_FAST || over.getAsBoolean()) {
                    throw e;
                }
                wait = longer(backoff.next(), Duration.ofMillis(e.problem().retryAfterMillis()));
            } catch (RemoteException e) {
                if (over.getAsBoolean()) {
                    throw e;
                }
                wait = backoff.next();
            }
            Thread.sleep(wait);
        }
    }

    private static Duration longer(Duration own, Duration asked) {
        Duration bounded = asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
        return own.compareTo(bounded) > 0 ? own : bounded;
    }
}
