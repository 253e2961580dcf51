package dev.gavel.client.connection;

import java.util.Optional;

/** Thrown when a participant's first connection to a topic cannot be opened. */
public final class ConnectFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Optional<PermanentCloseReason> reason;

    ConnectFailedException(String message, Optional<PermanentCloseReason> permanentCloseReason) {
        super(message);
        this.reason = permanentCloseReason;
    }

    /** Returns the reason why a retry would not help; empty if it might. */
    public Optional<PermanentCloseReason> reason() {
        return reason;
    }
}
