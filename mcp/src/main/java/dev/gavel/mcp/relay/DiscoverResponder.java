package dev.gavel.mcp.relay;

import dev.gavel.mcp.rpc.RpcMessage;
import java.time.Duration;
import java.util.function.Function;

/**
 * What the relay answers to {@code server/discover} if the server is slow. Clients that try the newest protocol version
 * first wait only about a second before they assume an older version. Immutable.
 *
 * @param timeout how long the relay waits for the server's own response
 * @param response creates the response to a request with this id
 */
public record DiscoverResponder(Duration timeout, Function<String, RpcMessage> response) {}
