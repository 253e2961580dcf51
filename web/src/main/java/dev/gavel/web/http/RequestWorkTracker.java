package dev.gavel.web.http;

import dev.gavel.ledger.executor.QueuedResult;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletionStage;

/** Ties the asynchronous work of a request to the request: to its body and to its client. Stateless. */
public final class RequestWorkTracker {
    private RequestWorkTracker() {}

    /**
     * Counts the request's body until the work has ended, and drops work that has not started when the client
     * disconnects. Must be called on the event loop of the request.
     */
    public static void attach(RoutingContext context, CompletionStage<?> work) {
        RequestBodyReader.holdDuring(context, work);
        if (work instanceof QueuedResult<?> queued) {
            context.addEndHandler(ended -> queued.cancel(false));
        }
    }
}
