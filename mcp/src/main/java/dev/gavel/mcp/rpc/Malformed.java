package dev.gavel.mcp.rpc;

import java.util.Optional;

/**
 * A text that is no JSON-RPC message. Immutable.
 *
 * @param error what to answer it with
 * @param why a sentence for whoever sent it
 * @param id the id it would be answered under, as it was written; nothing where it has none that can be read
 */
public record Malformed(RpcError error, String why, Optional<String> id) implements Reading {
    /** The answer to it. */
    public Message.Failure failure() {
        return error.failure(id.orElse("null"), why);
    }
}
