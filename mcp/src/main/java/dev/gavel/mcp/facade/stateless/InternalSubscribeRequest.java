package dev.gavel.mcp.facade.stateless;

import dev.gavel.mcp.facade.call.CallWaiter;
import dev.gavel.mcp.facade.call.InFlightClientRequest;
import dev.gavel.mcp.facade.call.ProgressNotificationFactory;
import dev.gavel.mcp.facade.call.ResponseChannel;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request by which the facade subscribes to a resource for a listening client, and learns only whether that
 * succeeded. Confined to the topic's loop.
 */
final class InternalSubscribeRequest implements InFlightClientRequest, ResponseChannel {
    private final String id;
    private final Consumer<Boolean> onResult;
    private @Nullable CallWaiter callWaiter;
    private boolean closed;

    /**
     * Creates a request that is not sent yet.
     *
     * @param onResult receives once whether the subscription succeeded
     */
    InternalSubscribeRequest(String id, Consumer<Boolean> onResult) {
        this.id = id;
        this.onResult = onResult;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public ResponseChannel response() {
        return this;
    }

    @Override
    public @Nullable ProgressNotificationFactory progress() {
        return null;
    }

    @Override
    public void onCallStarted(CallWaiter waiter) {
        callWaiter = waiter;
    }

    /** Cancels the request if it is still open. */
    void cancel() {
        if (!closed && callWaiter != null) {
            callWaiter.cancel("the client that sent the request has disconnected");
        }
    }

    @Override
    public void respond(RpcMessage answer) {
        complete(answer);
    }

    @Override
    public void onCallDone(CallWaiter waiter) {}

    @Override
    public boolean hasReader() {
        return !closed;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void start() {}

    @Override
    public void send(String line) {}

    @Override
    public void complete(RpcMessage message) {
        if (!closed) {
            closed = true;
            onResult.accept(message instanceof RpcMessage.ResultResponse);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onResult.accept(false);
        }
    }
}
