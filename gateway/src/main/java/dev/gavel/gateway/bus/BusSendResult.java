package dev.gavel.gateway.bus;

/** The result of sending a message to other processes: sent, unavailable or too large. */
public enum BusSendResult {
    /** The message was handed to the transport. Delivery is not confirmed. */
    SENT,

    /** Other processes cannot be reached now, or the send backlog is full. Nothing was sent. */
    UNAVAILABLE,

    /** The message exceeds the size limit, and retrying does not help. Nothing was sent. */
    TOO_LARGE
}
