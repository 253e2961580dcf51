package dev.gavel.web.console.live;

import dev.gavel.gateway.Gateway;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.http.StreamAndPollQuota;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Opens the event stream by which an open console page receives updates. Thread-safe. */
public final class LiveUpdateEndpoint {
    private final ConsoleRequestGuard guard;
    private final Gateway gateway;
    private final ChangeFeed changeFeed;
    private final StreamAndPollQuota streamAndPollQuota;
    private final AtomicInteger presentStreams = new AtomicInteger();

    public LiveUpdateEndpoint(
            ConsoleRequestGuard guard, Gateway gateway, ChangeFeed changeFeed, StreamAndPollQuota streamAndPollQuota) {
        this.guard = guard;
        this.gateway = gateway;
        this.changeFeed = changeFeed;
        this.streamAndPollQuota = streamAndPollQuota;
    }

    public int connections() {
        return presentStreams.get();
    }

    /**
     * Returns the mark of the latest change. A controller calls this before it reads a page's data, so that no change
     * is lost in between.
     */
    public String mark() {
        return changeFeed.mark();
    }

    /** Opens the event stream of the signed-in user's page, starting at the mark that the request names. */
    public void openStream(RoutingContext context, Function<ConsoleUser, LiveUpdateSource<?>> liveUpdateSource) {
        if (!guard.requireOwnHost(context)) {
            return;
        }
        HttpServerResponse response = ConsoleResponses.withSecurityHeaders(context)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        Optional<ConsoleUser> consoleUser = guard.currentUser(context.request());
        if (consoleUser.isEmpty()) {
            // Not an error status, which a browser would not report to the page.
            response.end("event: signed-out\ndata: -\n\n");
            return;
        }
        Optional<StreamAndPollQuota.Permit> permit = gateway.isDraining()
                        || !gateway.tryAcquireRequest(consoleUser.get().id())
                ? Optional.empty()
                : streamAndPollQuota.tryAcquire(consoleUser.get().id());
        if (permit.isEmpty()) {
            response.setStatusCode(503).end();
            return;
        }
        start(context, response, consoleUser.get(), liveUpdateSource.apply(consoleUser.get()), permit.get());
    }

    private <T> void start(
            RoutingContext context,
            HttpServerResponse response,
            ConsoleUser consoleUser,
            LiveUpdateSource<T> liveUpdateSource,
            StreamAndPollQuota.Permit permit) {
        String mark = context.request().getParam("mark", "");
        new LiveUpdateStream<>(gateway, changeFeed, consoleUser, ContextInternal.current(), response, liveUpdateSource)
                .start(mark, presentStreams, permit::release);
    }
}
