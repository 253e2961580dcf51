package dev.gavel.client.connection;

import java.util.Optional;

/** The reason why a participant's connection is closed for good and not reopened. */
public enum PermanentCloseReason {
    CLOSED("this participant was closed"),
    REPLACED("another connection of the same identity replaced this one"),
    EXPELLED("the token was revoked or has expired, or the identity is no longer a member of the topic"),
    UNAUTHENTICATED("the gateway does not know this token (401)"),
    NOT_A_MEMBER("this identity is not a member of the topic (403)"),
    NO_SUCH_TOPIC("the gateway has no such topic (404)");

    private static final int CODE_REPLACED = 4001;
    private static final int CODE_EXPELLED = 4003;

    private final String message;

    PermanentCloseReason(String text) {
        this.message = text;
    }

    public String message() {
        return message;
    }

    /** Returns the reason for a WebSocket close code; empty if the client may reconnect. */
    static Optional<PermanentCloseReason> ofCloseCode(int code) {
        return switch (code) {
            case CODE_REPLACED -> Optional.of(REPLACED);
            case CODE_EXPELLED -> Optional.of(EXPELLED);
            default -> Optional.empty();
        };
    }

    /** Returns the reason for the HTTP status of a failed handshake; empty if the client may reconnect. */
    static Optional<PermanentCloseReason> ofHttpStatus(int status) {
        return switch (status) {
            case 401 -> Optional.of(UNAUTHENTICATED);
            case 403 -> Optional.of(NOT_A_MEMBER);
            case 404 -> Optional.of(NO_SUCH_TOPIC);
            default -> Optional.empty();
        };
    }
}
