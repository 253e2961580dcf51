package dev.gavel.gateway.delivery;

/** Why the gateway closes a connection, with the WebSocket close code. */
public enum ConnectionCloseReason {
    NORMAL(1000, ""),
    PROTOCOL_ERROR(1002, "invalid WebSocket frame"),
    BINARY(1003, "send text frames with one envelope each"),
    BAD_UTF8(1007, "not UTF-8"),
    TOO_LARGE(1009, "a frame exceeds the size limit"),
    /** The peer did not respond. No close frame can be sent: 1006 stands for an end without a close frame. */
    SILENT(1006, "the client did not respond"),
    /** Reading or writing failed. No close frame can be sent either. */
    BROKEN(1006, "the connection failed"),
    FAILED(1011, "internal error"),
    RESTARTING(1012, "the gateway is shutting down; reconnect"),
    /** A newer connection of the same identity replaces this one. */
    REPLACED(4001, "replaced"),
    REVOKED(4003, "revoked"),
    /** The receiver did not read what was sent to it. */
    TOO_SLOW(4008, "too slow"),
    /** The client kept sending envelopes that were refused as too fast or malformed, or control frames. */
    FLOODING(4029, "too many refused envelopes or control frames; slow down"),
    /** The client's unfinished messages, or those of all clients, took too much memory. */
    UNFINISHED(4029, "unfinished messages take too much memory; send fewer large messages at the same time");

    private final int code;
    private final String reason;

    ConnectionCloseReason(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }
}
