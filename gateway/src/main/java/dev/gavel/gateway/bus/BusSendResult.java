package dev.gavel.gateway.bus;

/** The result of sending a message to other processes. */
public enum BusSendResult {
    /** It is on its way; whether it arrives nobody says. */
    SENT,

    /** Others cannot be reached now, or not as fast as this; nothing was sent. */
    UNAVAILABLE,

    /** It is more than can be sent at once, today and tomorrow; nothing was sent. */
    TOO_LARGE
}
