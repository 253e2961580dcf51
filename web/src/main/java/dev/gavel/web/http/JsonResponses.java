package dev.gavel.web.http;

import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.executor.TooManyTasksException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends JSON responses, and handles the result of an asynchronous operation on the request's own event loop. Stateless.
 */
public final class JsonResponses {
    private static final Logger log = LoggerFactory.getLogger(JsonResponses.class);

    private static final HttpProblem UNAVAILABLE =
            new HttpProblem(503, "unavailable", "the ledger is unavailable; try again", 1000);

    private JsonResponses() {}

    /**
     * Passes the result to the consumer on the request's own event loop; if the result is a failure, sends an error
     * response.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the request gets a response either way
    public static <T> void whenComplete(CompletionStage<T> stage, RoutingContext context, Consumer<T> onSuccess) {
        RequestWorkTracker.attach(context, stage);
        ContextInternal requestContext = ContextInternal.current();
        stage.whenComplete((value, failure) -> requestContext.runOnContext(ignored -> {
            try {
                if (failure == null) {
                    onSuccess.accept(value);
                } else {
                    fail(context, failure);
                }
            } catch (RuntimeException e) {
                context.fail(e);
            }
        }));
    }

    private static void fail(RoutingContext context, Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        switch (cause) {
            case CancellationException _ -> {
                // The client disconnected.
            }
            case TooManyTasksException _ ->
                new HttpProblem(429, "rate_limited", String.valueOf(cause.getMessage()), 1000).send(context.response());
            case LedgerException _ -> {
                log.warn("The ledger could not be read: {}", cause.getMessage());
                UNAVAILABLE.send(context.response());
            }
            default -> context.fail(cause);
        }
    }

    /** Sends a JSON response, unless a response was sent already. */
    public static void send(RoutingContext context, int status, Buffer json) {
        if (context.response().ended() || context.response().closed()) {
            return;
        }
        context.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        ResponseBodies.end(context.request(), json);
    }

    /**
     * Sends the JSON of a result, or passes an empty result to the handler. The content counts against the identity's
     * memory as soon as it exists, even if the event loop sends it only later.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the request gets a response either way
    public static void sendWhenComplete(
            CompletionStage<Optional<byte[]>> stage, RoutingContext context, Runnable onEmpty) {
        whenComplete(
                stage.thenApply(found -> found.map(json -> CountedBody.of(context, json))),
                context,
                found -> found.ifPresentOrElse(body -> body.send(context), onEmpty));
    }

    /** A body that counts against the memory of its identity; empty if it was refused. */
    private record CountedBody(Buffer json, MemoryQuota.Reservation reservation, Optional<HttpProblem> problem) {
        static CountedBody of(RoutingContext context, byte[] json) {
            MemoryQuota.Reservation reservation = json.length < ResponseBodies.MIN_COUNTED_BYTES
                    ? MemoryQuota.UNLIMITED
                    : ConnectionLimiter.reserveResponse(context.request());
            Optional<HttpProblem> problem = reservation.add(json.length);
            if (problem.isPresent()) {
                reservation.release();
            }
            return new CountedBody(problem.isPresent() ? Buffer.buffer() : Buffer.buffer(json), reservation, problem);
        }

        void send(RoutingContext context) {
            if (problem.isPresent()) {
                problem.get().send(context.response());
            } else if (context.response().ended() || context.response().closed()) {
                reservation.release();
            } else {
                context.response()
                        .setStatusCode(200)
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
                ResponseBodies.end(context.response(), json, reservation);
            }
        }
    }
}
