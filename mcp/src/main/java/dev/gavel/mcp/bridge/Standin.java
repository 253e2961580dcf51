package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;

/**
 * Answers requests that MCP 2026-07-28 has not any more, or that are between a server and its client alone: a topic need not know
 * which version a server speaks. Thread-safe.
 */
final class Standin {
    private final String name;
    private final Subscriptions subscriptions;
    private final Outlet outlet;

    Standin(String name, Subscriptions subscriptions, Outlet outlet) {
        this.name = name;
        this.subscriptions = subscriptions;
        this.outlet = outlet;
    }

    /** Answers a request, now or later; false where that is the server's to do. */
    boolean takes(Asked asked) {
        switch (asked.method()) {
            case "ping" -> outlet.answer(asked, new Message.Response("null", "{}"));
            case "resources/subscribe" -> subscriptions.subscribe(asked, answer -> outlet.answer(asked, answer));
            case "resources/unsubscribe" -> subscriptions.unsubscribe(asked, answer -> outlet.answer(asked, answer));
            case "subscriptions/listen" ->
                refuse(
                        asked,
                        "what the server of '" + name + "' says is sent to everybody in the topic; for a resource,"
                                + " send resources/subscribe");
            case "logging/setLevel" ->
                refuse(
                        asked,
                        "the server of '" + name + "' is told with each request from which level on it may log:"
                                + " io.modelcontextprotocol/logLevel in _meta");
            default -> {
                return false;
            }
        }
        return true;
    }

    private void refuse(Asked asked, String why) {
        outlet.answer(asked, RpcError.METHOD_NOT_FOUND.failure("null", why));
    }
}
