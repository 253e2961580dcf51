package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import io.netty.channel.Channel;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a request to {@code /ws} into a connection to a topic, or into a refusal that says why. Thread-safe.
 */
final class SocketEdge {
    private static final Logger log = LoggerFactory.getLogger(SocketEdge.class);

    /** What a receiver may be behind, in bytes, before it is dropped. */
    private static final int QUEUE_BYTES = 8 * 1024 * 1024;

    private final Gateway gateway;
    private final Visits visits;
    private final int longestFrame;
    private final int mostConnections;

    /** Those that take part. */
    private final AtomicInteger active = new AtomicInteger();

    /** Those that take part and those still closing. */
    private final Set<SocketTap> open = ConcurrentHashMap.newKeySet();

    SocketEdge(Gateway gateway, Visits visits, int longestFrame, int mostConnections) {
        this.gateway = gateway;
        this.visits = visits;
        this.longestFrame = longestFrame;
        this.mostConnections = mostConnections;
    }

    /** How many connections are open now, those that are closing included. */
    int connections() {
        return open.size();
    }

    void handle(HttpServerRequest request) {
        switch (visits.examine(request, "topic", request::getParam)) {
            case Visit.Denied(Problem problem) -> visits.refuse(problem, request.response());
            case Visit.Granted granted -> {
                Optional<Problem> improper = Handshake.problem(request);
                if (improper.isPresent()) {
                    visits.refuse(improper.get(), request.response());
                } else if (active.get() >= mostConnections) {
                    visits.refuse(Visits.FULL, request.response());
                } else if (!gateway.mayJoin(granted.member().id())) {
                    visits.refuse(Visits.TOO_FAST, request.response());
                } else {
                    upgrade(request, granted);
                }
            }
        }
    }

    private void upgrade(HttpServerRequest request, Visit.Granted granted) {
        active.incrementAndGet();
        request.toWebSocket().onSuccess(socket -> take(socket, granted)).onFailure(failure -> {
            active.decrementAndGet();
            log.debug("a WebSocket handshake failed: {}", failure.getMessage());
        });
    }

    private void take(ServerWebSocket socket, Visit.Granted granted) {
        Channel channel = ((WebSocketInternal) socket).channelHandlerContext().channel();
        SocketTap tap = new SocketTap(
                longestFrame,
                QUEUE_BYTES,
                outlet -> gateway.connect(
                        granted.topic(),
                        granted.membership(),
                        granted.warrant(),
                        granted.wish(),
                        granted.spelling(),
                        outlet),
                active::decrementAndGet);
        open.add(tap);
        channel.closeFuture().addListener(closed -> open.remove(tap));
        Takeover.take(socket, longestFrame, tap);
    }
}
