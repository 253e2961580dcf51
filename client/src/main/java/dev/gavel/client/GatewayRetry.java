package dev.gavel.client;

import dev.gavel.client.connection.Backoff;
import dev.gavel.client.http.RemoteGatewayException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Repeats an HTTP request to the gateway with backoff until the gateway answers or the caller gives up. Stateless. */
final class GatewayRetry {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Duration MAX_RETRY_AFTER = Duration.ofSeconds(10);

    private GatewayRetry() {}

    /** A request to the gateway. */
    @FunctionalInterface
    interface GatewayRequest<T> {
        T send() throws RemoteGatewayException, InterruptedException;
    }

    /**
     * Returns the response. A refusal is thrown without a retry, unless it is HTTP 429 (too many requests).
     *
     * @param cancelled whether the caller has given up; if so, the last failure is thrown
     */
    static <T> T retryUntil(GatewayRequest<T> gatewayRequest, BooleanSupplier cancelled)
            throws RemoteGatewayException, InterruptedException {
        Backoff backoff = new Backoff();
        while (true) {
            Duration wait;
            try {
                return gatewayRequest.send();
            } catch (RemoteGatewayException.Refused e) {
                if (e.problem().status() != TOO_MANY_REQUESTS || cancelled.getAsBoolean()) {
                    throw e;
                }
                wait = longer(backoff.next(), Duration.ofMillis(e.problem().retryAfterMillis()));
            } catch (RemoteGatewayException e) {
                if (cancelled.getAsBoolean()) {
                    throw e;
                }
                wait = backoff.next();
            }
            Thread.sleep(wait);
        }
    }

    private static Duration longer(Duration backoffDelay, Duration retryAfter) {
        Duration bounded = retryAfter.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : retryAfter;
        return backoffDelay.compareTo(bounded) > 0 ? backoffDelay : bounded;
    }
}
