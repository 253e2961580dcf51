package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Inlet;
import dev.gavel.gateway.delivery.Outlet;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a request to {@code /ws} into a connection to a topic, or into a refusal that says why. Thread-safe; each
 * connection stays on the event loop that accepted it.
 */
final class SocketEdge {
    private static final Logger log = LoggerFactory.getLogger(SocketEdge.class);

    /** What a receiver may be behind, in bytes, before it is dropped. */
    private static final int QUEUE_BYTES = 8 * 1024 * 1024;

    /** Often enough that neither the idle timeout nor a proxy takes a silent connection for a dead one. */
    private static final long PING_SECONDS = 20;

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
        ChannelHandlerContext handler = ((WebSocketInternal) socket).channelHandlerContext();
        if (!handler.channel().isActive()) {
            // Gone before it was taken: nobody would ever tell the tap, and its member would seem to be here for good.
            active.decrementAndGet();
            return;
        }
        SocketTap tap = install(
                socket,
                longestFrame,
                outlet -> gateway.connect(
                        granted.topic(),
                        granted.membership(),
                        granted.warrant(),
                        granted.wish(),
                        granted.spelling(),
                        outlet),
                active::decrementAndGet);
        keep(tap, handler);
    }

    /** Counts a connection as long as it is open, and keeps it from looking dead. */
    private void keep(SocketTap tap, ChannelHandlerContext handler) {
        open.add(tap);
        Future<?> pings =
                handler.executor().scheduleAtFixedRate(tap::ping, PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
        handler.channel().closeFuture().addListener(closed -> {
            pings.cancel(false);
            open.remove(tap);
        });
    }

    /** Puts a tap into the pipeline of an upgraded connection; on its event loop. */
    static SocketTap install(
            ServerWebSocket socket, int longestFrame, Function<Outlet, Inlet> inlets, Runnable afterwards) {
        ChannelHandlerContext handler = ((WebSocketInternal) socket).channelHandlerContext();
        ChannelPipeline pipeline = handler.pipeline();
        ChannelHandlerContext encoder = pipeline.context("wsencoder");
        if (encoder == null || pipeline.context("wsdecoder") == null) {
            throw new IllegalStateException("Vert.x' WebSocket pipeline is not as expected: " + pipeline.names());
        }
        // Our own decoder, since Vert.x' would answer a protocol error by itself, and the reset that follows would
        // hide the close code. UTF-8 and fragments are the tap's: Netty's handlers for them cost a tenth of all CPU.
        pipeline.replace(
                "wsdecoder",
                "wsdecoder",
                new WebSocket13FrameDecoder(WebSocketDecoderConfig.newBuilder()
                        .maxFramePayloadLength(longestFrame)
                        .allowExtensions(false)
                        .closeOnProtocolViolation(false)
                        .build()));
        SocketTap tap = new SocketTap(handler, encoder, longestFrame, QUEUE_BYTES, inlets, afterwards);
        pipeline.addBefore(handler.name(), "tap", tap);
        if (pipeline.context(RequestDeadline.NAME) != null) {
            pipeline.remove(RequestDeadline.NAME);
        }
        return tap;
    }
}
