package dev.gavel.web.console.session;

import dev.gavel.ledger.executor.TooManyTasksException;
import dev.gavel.web.http.RequestWorkTracker;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Continues a page request on its event loop when its data has loaded, or sends an error page if loading fails.
 * Stateless.
 */
public final class AsyncPageContinuation {
    private static final Logger log = LoggerFactory.getLogger(AsyncPageContinuation.class);

    private AsyncPageContinuation() {}

    /** Continues on the request's event loop with the loaded value. If loading fails, sends an error page. */
    @SuppressWarnings("FutureReturnValueIgnored") // the request is answered in both cases
    public static <T> void whenLoaded(CompletionStage<T> future, RoutingContext context, Consumer<T> then) {
        RequestWorkTracker.attach(context, future);
        ContextInternal requestContext = ContextInternal.current();
        future.whenComplete((value, failure) -> requestContext.runOnContext(now -> {
            try {
                if (failure == null) {
                    then.accept(value);
                    return;
                }
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                if (cause instanceof CancellationException) {
                    // The client disconnected.
                    return;
                }
                if (cause instanceof TooManyTasksException) {
                    ConsoleResponses.refuse(
                            context,
                            429,
                            "Too many requests",
                            "You sent too many requests. Wait a moment, then reload the page.");
                    return;
                }
                log.warn("A console page could not be loaded: {}", failure.toString());
                ConsoleResponses.refuse(
                        context, 503, "Ledger unavailable", "The ledger is unavailable. Try again in a moment.");
            } catch (RuntimeException e) {
                context.fail(e);
            }
        }));
    }
}
