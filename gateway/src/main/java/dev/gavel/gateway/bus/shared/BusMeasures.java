package dev.gavel.gateway.bus.shared;

/**
 * How the bus is, and what it did since the process started. Immutable.
 *
 * @param available whether other processes can be reached now
 * @param sent envelopes on their way to others
 * @param received envelopes that others sent
 * @param refused envelopes that could not be sent
 * @param unreadable messages that could not be understood
 * @param connected how often a connection came up
 * @param overruns how often one was given up since more came than could be heard
 * @param processes other processes known to live
 */
public record BusMeasures(
        boolean available,
        long sent,
        long received,
        long refused,
        long unreadable,
        long connected,
        long overruns,
        int processes) {}
