package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;

/**
 * Answers those requests for a stateless MCP server that the bridge must not forward to it, such as ping and
 * resources/subscribe. Thread-safe.
 */
final class LocalRequestResponder {
    private final String name;
    private final ServerListenSubscription serverListenSubscription;
    private final BridgePublisher publisher;

    LocalRequestResponder(String name, ServerListenSubscription subscriptions, BridgePublisher bridgePublisher) {
        this.name = name;
        this.serverListenSubscription = subscriptions;
        this.publisher = bridgePublisher;
    }

    /** Responds to a request, now or later. Returns false if the server has to respond. */
    boolean handle(TopicRequest topicRequest) {
        switch (topicRequest.method()) {
            case "ping" -> publisher.respond(topicRequest, new RpcMessage.ResultResponse("null", "{}"));
            case "resources/subscribe" ->
                serverListenSubscription.subscribe(topicRequest, response -> publisher.respond(topicRequest, response));
            case "resources/unsubscribe" ->
                serverListenSubscription.unsubscribe(
                        topicRequest, response -> publisher.respond(topicRequest, response));
            case "subscriptions/listen" ->
                respondUnsupported(
                        topicRequest,
                        "The notifications of the server '" + name + "' go to all participants of the topic. To"
                                + " subscribe to a resource, send resources/subscribe.");
            case "logging/setLevel" ->
                respondUnsupported(
                        topicRequest,
                        "Set the log level of the server '" + name + "' in each request: send"
                                + " io.modelcontextprotocol/logLevel in _meta.");
            default -> {
                return false;
            }
        }
        return true;
    }

    private void respondUnsupported(TopicRequest topicRequest, String reason) {
        publisher.respond(topicRequest, RpcErrorCode.METHOD_NOT_FOUND.toResponse("null", reason));
    }
}
