package dev.gavel.gateway.bus.cluster;

/**
 * An immutable snapshot of the bus's counters, its availability and the number of other live processes. Immutable.
 *
 * @param available whether other processes can be reached now
 * @param sent envelopes on their way to others
 * @param received envelopes that others sent
 * @param refused envelopes that could not be sent
 * @param malformed messages that could not be understood
 * @param connects how often a connection came up
 * @param overruns how often one was given up since more came than could be heard
 * @param processes other processes known to live
 */
public record BusMetrics(
        boolean available,
        long sent,
        long received,
        long refused,
        long malformed,
        long connects,
        long overruns,
        int processes) {}
