package dev.gavel.web.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sends response bodies whose unsent bytes count against the memory of their identity, so that clients that do not read
 * their responses cannot exhaust the server's memory. Refuses a body for which there is no memory now with 429 or 503.
 * Stateless.
 */
public final class ResponseBodies {
    /** Smaller bodies do not count: the rate of requests and the timeout for clients that do not read bound them. */
    static final int MIN_COUNTED_BYTES = 16 * 1024;

    private ResponseBodies() {}

    /** Ends the response with this body, or sends the reason why the server cannot send it now. */
    public static Future<Void> end(HttpServerRequest request, Buffer body) {
        return end(request, body, problem -> problem.send(request.response()));
    }

    /**
     * Ends the response with this body. Returns a failed future and calls the consumer if the server cannot send it now.
     *
     * @param onRefused sends a small response instead
     */
    public static Future<Void> end(HttpServerRequest request, Buffer body, Consumer<HttpProblem> onRefused) {
        if (body.length() < MIN_COUNTED_BYTES) {
            return request.response().end(body);
        }
        MemoryQuota.Reservation reservation = ConnectionLimiter.reserveResponse(request);
        Optional<HttpProblem> problem = reservation.add(body.length());
        return problem.isPresent()
                ? refuse(problem.get(), reservation, onRefused)
                : end(request.response(), body, reservation);
    }

    private static Future<Void> refuse(
            HttpProblem problem, MemoryQuota.Reservation reservation, Consumer<HttpProblem> onRefused) {
        reservation.release();
        onRefused.accept(problem);
        return Future.failedFuture(problem.detail());
    }

    /** Ends the response with a body that is counted already. The future also completes when the connection closes. */
    static Future<Void> end(HttpServerResponse response, Buffer body, MemoryQuota.Reservation reservation) {
        try {
            return response.end(body).onComplete(sent -> reservation.release());
        } catch (RuntimeException e) {
            reservation.release();
            throw e;
        }
    }
}
