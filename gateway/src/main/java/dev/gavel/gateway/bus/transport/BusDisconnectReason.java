package dev.gavel.gateway.bus.transport;

/** Why a bus connection was lost. */
public enum BusDisconnectReason {
    /** It broke, or the other side ended it or fell silent. */
    BROKEN,

    /** More came than this process could hear in time, so some of it is lost. */
    OVERRUN
}
