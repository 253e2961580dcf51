package dev.gavel.app.edge;

import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Authentication.Unauthenticated;
import dev.gavel.app.identity.Identities;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Inlet;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Mode;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.delivery.Outlet;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.TopicName;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
    private final Identities identities;
    private final Origins origins;
    private final int longestFrame;
    private final int mostConnections;
    private final Set<SocketTap> open = ConcurrentHashMap.newKeySet();

    SocketEdge(Gateway gateway, Identities identities, Origins origins, int longestFrame, int mostConnections) {
        this.gateway = gateway;
        this.identities = identities;
        this.origins = origins;
        this.longestFrame = longestFrame;
        this.mostConnections = mostConnections;
    }

    /** What a request asks for, or why it cannot have it. */
    private sealed interface Asked {
        record Granted(Topic topic, Member member, Mode mode, Spelling spelling) implements Asked {}

        record Denied(Problem problem) implements Asked {}
    }

    /** How many connections are open now. */
    int connections() {
        return open.size();
    }

    void handle(HttpServerRequest request) {
        switch (examine(request)) {
            case Asked.Denied(Problem problem) -> problem.send(request.response());
            case Asked.Granted granted -> upgrade(request, granted);
        }
    }

    private Asked examine(HttpServerRequest request) {
        if (!origins.allows(request)) {
            return denied(403, "foreign_origin", "web pages of other sites may not connect here");
        }
        String name = request.getParam("topic");
        if (name == null || !(TopicName.parse(name) instanceof Parsed.Valid<TopicName>)) {
            return denied(
                    400,
                    "bad_topic",
                    "name a topic: /ws?topic=NAME, of small letters, digits, _ and -, divided by dots");
        }
        Optional<Mode> mode = Mode.parse(request.getParam("mode", "all"));
        if (mode.isEmpty()) {
            return denied(400, "bad_mode", "mode is 'all' or 'directed'");
        }
        String spelling = request.getParam("spelling");
        if (spelling != null && !spelling.equals("v0.1")) {
            return denied(400, "bad_spelling", "spelling is 'v0.1' or left out");
        }
        String since = request.getParam("since");
        if (since != null && !since.matches("\\d{1,18}")) {
            return denied(400, "bad_since", "since is a seq: a whole number from 0");
        }
        return switch (identities.authenticate(request.getHeader(HttpHeaders.AUTHORIZATION))) {
            case Unauthenticated(String reason) -> denied(401, "unauthenticated", reason);
            case Authenticated(var identity) -> {
                Optional<Topic> topic = gateway.topic(name);
                if (topic.isEmpty()) {
                    yield denied(404, "no_such_topic", "there is no topic '" + name + "'");
                }
                Optional<Member> member = topic.get().member(identity.id());
                if (member.isEmpty()) {
                    yield denied(403, "not_a_member", "'" + identity.id() + "' is no member of '" + name + "'");
                }
                if (!isUpgrade(request)) {
                    yield denied(426, "upgrade_required", "connect with a WebSocket client");
                }
                if (open.size() >= mostConnections || gateway.draining()) {
                    yield denied(503, "unavailable", "no more connections now; try again later");
                }
                yield new Asked.Granted(
                        topic.get(), member.get(), mode.get(), spelling == null ? Spelling.CURRENT : Spelling.V0_1);
            }
        };
    }

    private static boolean isUpgrade(HttpServerRequest request) {
        return HttpMethod.GET.equals(request.method())
                && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE));
    }

    private static Asked denied(int status, String code, String detail) {
        return new Asked.Denied(new Problem(status, code, detail));
    }

    private void upgrade(HttpServerRequest request, Asked.Granted granted) {
        request.toWebSocket()
                .onSuccess(socket -> {
                    SocketTap tap = install(
                            socket,
                            longestFrame,
                            outlet -> gateway.connect(
                                    granted.topic(), granted.member(), granted.mode(), granted.spelling(), outlet));
                    keep(tap, ((WebSocketInternal) socket).channelHandlerContext());
                })
                .onFailure(failure -> {
                    log.debug("a WebSocket handshake failed: {}", failure.getMessage());
                    new Problem(400, "bad_handshake", "not a WebSocket handshake").send(request.response());
                });
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
    static SocketTap install(ServerWebSocket socket, int longestFrame, Function<Outlet, Inlet> inlets) {
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
        SocketTap tap = new SocketTap(handler, encoder, longestFrame, QUEUE_BYTES, inlets);
        pipeline.addBefore(handler.name(), "tap", tap);
        return tap;
    }
}
