package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.MalformedRpcMessage;
import dev.gavel.mcp.rpc.MessageIdScanner;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcp.rpc.RpcMessageParser;

/**
 * Reads the messages of an MCP server up to a maximum length. If a response cannot be read, it finds the request that
 * waits for it, so that the caller gets an error at once. Thread-safe.
 */
final class ServerMessageReader {
    private final RpcMessageParser parser;

    /** Creates a reader of messages up to this length, in bytes. */
    ServerMessageReader(int maxLength) {
        this.parser = new RpcMessageParser(maxLength);
    }

    int maxLength() {
        return parser.maxLength();
    }

    ServerMessage read(byte[] bytes) {
        return switch (parser.read(bytes)) {
            case RpcMessage message -> new ServerMessage.Received(message);
            case MalformedRpcMessage malformedRpcMessage -> {
                MessageIdScanner scanner = new MessageIdScanner();
                scanner.scan(bytes, 0, bytes.length);
                yield unreadable(
                        scanner, false, "the server's message cannot be read: " + sentence(malformedRpcMessage));
            }
        };
    }

    /** Returns the result for a message that is longer than the maximum. */
    ServerMessage tooLong(MessageIdScanner scanner, long length) {
        return unreadable(
                scanner,
                true,
                "the server's message has " + length + " bytes. The limit is " + maxLength()
                        + " bytes (limits.answer)");
    }

    private static ServerMessage unreadable(MessageIdScanner scanner, boolean tooLong, String problem) {
        return scanner.responseId()
                .<ServerMessage>map(id -> new ServerMessage.UnreadableResponse(id, problem))
                .orElseGet(() -> new ServerMessage.Unreadable(tooLong && !scanner.hasMethod(), problem));
    }

    private static String sentence(MalformedRpcMessage malformedRpcMessage) {
        String reason = malformedRpcMessage.reason();
        return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
    }
}
