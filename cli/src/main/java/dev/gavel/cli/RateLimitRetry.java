package dev.gavel.cli;

import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemoteProblem;
import java.time.Duration;

/** Repeats a request while the server answers that requests come too fast (HTTP 429). Stateless. */
public final class RateLimitRetry {
    private static final int TOO_MANY_REQUESTS = 429;

    /** After this many refusals the caller gets the error. */
    private static final int MAX_ATTEMPTS = 20;

    private RateLimitRetry() {}

    /** A request to the server. */
    @FunctionalInterface
    public interface RemoteCall<T> {
        /** Sends the request and returns the response. */
        T call() throws RemoteGatewayException, InterruptedException;
    }

    /** Sends the request, and sends it again after each 429 response; returns the first other response. */
    public static <T> T retry(RemoteCall<T> remoteCall) throws RemoteGatewayException, InterruptedException {
        for (int attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
            try {
                return remoteCall.call();
            } catch (Refused e) {
                Thread.sleep(retryDelay(e));
            }
        }
        return remoteCall.call();
    }

    /** How long to wait before the next attempt. Rethrows a refusal other than 429, because waiting does not help. */
    public static Duration retryDelay(Refused e) throws Refused {
        RemoteProblem problem = e.problem();
        if (problem.status() != TOO_MANY_REQUESTS) {
            throw e;
        }
        return Duration.ofMillis(Math.clamp(problem.retryAfterMillis(), 100, 10_000));
    }
}
