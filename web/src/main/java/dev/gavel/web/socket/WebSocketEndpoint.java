package dev.gavel.web.socket;

import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcpx.Kind;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.TopicAccessResult;
import io.netty.channel.Channel;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Upgrades requests to /ws to WebSocket connections of a topic, or refuses them with the reason. Thread-safe. */
public final class WebSocketEndpoint {
    private static final Logger log = LoggerFactory.getLogger(WebSocketEndpoint.class);

    /** How many bytes a client may be behind before its connection is closed, in addition to one message. */
    private static final int MAX_QUEUE_BYTES = 8 * 1024 * 1024;

    /** A member that may send one of these can send messages as long as answers. */
    private static final List<Kind> ANSWERS = Stream.concat(
                    Stream.of("tools/call", "prompts/get", "resources/read"),
                    Stream.of(McpListType.values()).map(McpListType::method))
            .map(method -> Kind.of("mcp.response." + method))
            .toList();

    private final Gateway gateway;
    private final TopicAccess topicAccess;
    private final int maxFrameBytes;
    private final int maxAnswerBytes;
    private final int maxConnections;

    /** Connections that take part in a topic. */
    private final AtomicInteger activeConnections = new AtomicInteger();

    /** Connections that take part in a topic, and those still closing. */
    private final Set<WebSocketChannelHandler> openHandlers = ConcurrentHashMap.newKeySet();

    public WebSocketEndpoint(
            Gateway gateway, TopicAccess topicAccess, int maxFrameBytes, int maxAnswerBytes, int maxConnections) {
        this.gateway = gateway;
        this.topicAccess = topicAccess;
        this.maxFrameBytes = maxFrameBytes;
        this.maxAnswerBytes = maxAnswerBytes;
        this.maxConnections = maxConnections;
    }

    /** How many connections are open now, including those that are closing. */
    public int connectionCount() {
        return openHandlers.size();
    }

    public void handle(HttpServerRequest request) {
        switch (topicAccess.check(request, "topic", request::getParam)) {
            case TopicAccessResult.Denied(HttpProblem problem) -> topicAccess.refuse(problem, request.response());
            case TopicAccessResult.Granted granted -> {
                Optional<HttpProblem> handshakeProblem = WebSocketHandshakeValidator.validate(request);
                if (handshakeProblem.isPresent()) {
                    topicAccess.refuse(handshakeProblem.get(), request.response());
                } else if (activeConnections.get() >= maxConnections) {
                    topicAccess.refuse(TopicAccess.UNAVAILABLE, request.response());
                } else if (!gateway.tryAcquireRequest(granted.member().id())) {
                    topicAccess.refuse(TopicAccess.RATE_LIMITED, request.response());
                } else {
                    upgrade(request, granted);
                }
            }
        }
    }

    private void upgrade(HttpServerRequest request, TopicAccessResult.Granted granted) {
        activeConnections.incrementAndGet();
        request.toWebSocket().onSuccess(socket -> accept(socket, granted)).onFailure(failure -> {
            activeConnections.decrementAndGet();
            log.debug("A WebSocket handshake failed: {}", failure.getMessage());
        });
    }

    private void accept(ServerWebSocket socket, TopicAccessResult.Granted granted) {
        Channel channel = ((WebSocketInternal) socket).channelHandlerContext().channel();
        boolean answers = ANSWERS.stream().anyMatch(granted.member().capabilitySet()::admitsKind);
        int maxMessageBytes = answers ? maxAnswerBytes : maxFrameBytes;
        WebSocketChannelHandler handler = new WebSocketChannelHandler(
                maxMessageBytes,
                MAX_QUEUE_BYTES,
                maxAnswerBytes,
                transportChannel -> gateway.connect(
                        granted.topic(),
                        granted.membership(),
                        granted.accessGrant(),
                        granted.options(),
                        granted.syntax(),
                        transportChannel),
                activeConnections::decrementAndGet);
        openHandlers.add(handler);
        channel.closeFuture().addListener(closed -> openHandlers.remove(handler));
        WebSocketPipelineInstaller.install(socket, maxMessageBytes, handler);
    }
}
