package dev.gavel.gateway.bus.transport;

/** Why a bus connection was lost. */
public enum BusDisconnectReason {
    /** The connection broke, or the server closed it or stopped responding. */
    BROKEN,

    /** More messages arrived than this process could process in time, so some are lost. */
    OVERRUN
}
