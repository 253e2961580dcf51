package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcp.facade.call.ResponseChannel;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The requests for input that Gavel has sent to a session's client and that the client has not answered yet. Confined to
 * the topic's loop.
 */
final class ClientInputRequests {
    private static final int MAX_OPEN = 100;

    private final TopicCalls topicCalls;
    private final Map<String, Consumer<RpcMessage.Response>> callbacks = new HashMap<>();

    ClientInputRequests(TopicCalls topicCalls) {
        this.topicCalls = topicCalls;
    }

    /** Whether this many requests can be sent now. */
    boolean hasPlaces(int count) {
        return callbacks.size() + count <= MAX_OPEN;
    }

    /**
     * Sends a request to the client.
     *
     * @param channel the stream of the call that the request belongs to
     * @param callback receives the client's response
     * @return the id of the request
     */
    String send(
            ResponseChannel channel, String method, Optional<String> params, Consumer<RpcMessage.Response> callback) {
        String id = Json.ofText(topicCalls.newEnvelopeId('i')).raw();
        callbacks.put(id, callback);
        channel.send(new RpcMessage.Request(id, method, params));
        return id;
    }

    /** Forgets a request whose response is not needed any more. */
    void remove(String id) {
        callbacks.remove(id);
    }

    /** Passes a response of the client on. Ignores the response to an unknown request. */
    void receive(RpcMessage.Response response) {
        Consumer<RpcMessage.Response> callback = callbacks.remove(response.id());
        if (callback != null) {
            callback.accept(response);
        }
    }
}
